import { sql } from 'kysely'

import { type CompanyDefaultsStore, type KeptDefaults, noDefaults } from '../domain/feed.ts'
import { note } from './audit.ts'
import type { ChangedFeeds } from './feeds.ts'
import { defaultsIn, isLocaleSetIn, isOpen, ownOptionsIn, readRow } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

export function companyDefaultsStore(
  { queries, takeTurn }: StoreDatabase,
  changed: ChangedFeeds,
): CompanyDefaultsStore {
  return {
    findDefaults: (companyId) => findDefaults(queries, companyId),
    async listFeedsAlike(companyId) {
      const columns = ['audience', 'locale', 'localeSet', 'ownOptions'] as const
      const rows = await queries
        .selectFrom('feeds')
        .select(({ fn }) => [...columns, isNamed.as('isNamed'), fn.countAll<number>().as('count')])
        .where('companyId', '=', companyId)
        .where(isOpen)
        .groupBy([...columns, isNamed])
        .execute()
      return rows.map(({ audience, ownOptions, isNamed: named, count, ...row }) => ({
        audience,
        isLocaleSet: isLocaleSetIn(row),
        ownOptions: readRow('the options of a feed', () => ownOptionsIn(ownOptions)),
        isNamed: named === 1,
        count,
      }))
    },
    async changeDefaults(companyId, change, auditEvent) {
      let mayHaveChanged = false
      const changing = queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, `defaults of ${companyId}`)
        const before = await findDefaults(transaction, companyId)
        const next = change(before)
        if (!next) return before
        mayHaveChanged = true
        const revision = before.revision + 1
        const kept = { ...next, revision }
        const row = { revision, defaults: JSON.stringify(kept) }
        await transaction
          .insertInto('companyDefaults')
          .values({ companyId, ...row })
          .onConflict((known) => known.column('companyId').doUpdateSet(row))
          .execute()
        await note(transaction, auditEvent, [{ companyId, feedId: null, userIds: [], label: null }])
        return kept
      })
      return changing.finally(() => {
        if (mayHaveChanged) changed.tell(null)
      })
    },
  }
}

const isNamed = sql<number>`case when named_after is null then 1 else 0 end`

async function findDefaults(queries: Queries, companyId: string): Promise<KeptDefaults> {
  const rows = queries.selectFrom('companyDefaults').select('defaults')
  const row = await rows.where('companyId', '=', companyId).executeTakeFirst()
  return row ? defaultsIn(companyId, row.defaults) : noDefaults
}
