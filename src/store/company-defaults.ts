import { type CompanyDefaultsStore, type KeptDefaults, noDefaults } from '../domain/feed.ts'
import { note } from './audit.ts'
import type { ChangedFeeds } from './feeds.ts'
import { defaultsIn } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

export function companyDefaultsStore(
  { queries, takeTurn }: StoreDatabase,
  changed: ChangedFeeds,
): CompanyDefaultsStore {
  return {
    findDefaults: (companyId) => findDefaults(queries, companyId),
    changeDefaults: (companyId, change, auditEvent) =>
      changed.during(null, () =>
        queries.transaction().execute(async (transaction) => {
          await takeTurn(transaction, `defaults of ${companyId}`)
          const before = await findDefaults(transaction, companyId)
          const next = change(before)
          if (!next) return before
          const revision = before.revision + 1
          const kept = { ...next, revision }
          const row = { revision, defaults: JSON.stringify(kept) }
          await transaction
            .insertInto('companyDefaults')
            .values({ companyId, ...row })
            .onConflict((known) => known.column('companyId').doUpdateSet(row))
            .execute()
          await note(transaction, auditEvent, [
            { companyId, feedId: null, userIds: [], label: null },
          ])
          return kept
        }),
      ),
  }
}

async function findDefaults(queries: Queries, companyId: string): Promise<KeptDefaults> {
  const rows = queries.selectFrom('companyDefaults').select('defaults')
  const row = await rows.where('companyId', '=', companyId).executeTakeFirst()
  return row ? defaultsIn(companyId, row.defaults) : noDefaults
}
