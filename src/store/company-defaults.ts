import { sql } from 'kysely'

import type { CompanyDefaultsStore } from '../domain/company-defaults.ts'
import { type KeptDefaults, noDefaults } from '../domain/feed.ts'
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
      const rows = await queries
        .selectFrom('feeds')
        .select((of) => [
          'audience',
          'locale',
          'localeSet',
          'ownOptions',
          sql<number>`case when named_after is null then 1 else 0 end`.as('named'),
          of.fn.countAll<number>().as('count'),
        ])
        .where('companyId', '=', companyId)
        .where(isOpen)
        .groupBy(['audience', 'locale', 'localeSet', 'ownOptions', 'named'])
        .execute()
      return rows.map(({ audience, named, ownOptions, count, ...row }) => ({
        audience,
        isNamed: named === 1,
        isLocaleSet: isLocaleSetIn(row),
        ownOptions: readRow(`feeds of the company ${companyId}`, () => ownOptionsIn(ownOptions)),
        count,
      }))
    },
    changeDefaults: (companyId, change, auditEvent) =>
      changed.during(null, () =>
        queries.transaction().execute(async (transaction) => {
          await takeTurn(transaction, `defaults of ${companyId}`)
          const before = await findDefaults(transaction, companyId)
          const next = change(before)
          if (!next) return { before, after: before }
          const after = { ...next, revision: before.revision + 1 }
          const row = { revision: after.revision, defaults: JSON.stringify(after) }
          await transaction
            .insertInto('companyDefaults')
            .values({ companyId, ...row })
            .onConflict((known) => known.column('companyId').doUpdateSet(row))
            .execute()
          await note(transaction, auditEvent, [
            { companyId, feedId: null, userIds: [], label: null },
          ])
          return { before, after }
        }),
      ),
  }
}

async function findDefaults(queries: Queries, companyId: string): Promise<KeptDefaults> {
  const rows = queries.selectFrom('companyDefaults').select('defaults')
  const row = await rows.where('companyId', '=', companyId).executeTakeFirst()
  return row ? defaultsIn(companyId, row.defaults) : noDefaults
}
