import { sql } from 'kysely'

import type { CompanyDefaultsStore, FeedsAlike } from '../domain/company-defaults.ts'
import { type Feed, type KeptDefaults, noDefaults } from '../domain/feed.ts'
import { note } from './audit.ts'
import type { ChangedFeeds } from './feeds.ts'
import { defaultsIn, inRanges, isLocaleSetIn, isOpen, ownOptionsIn, readRow } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

/** More in one read would delay other requests. */
const rowsAtOnce = 5000

export function companyDefaultsStore(
  { queries, takeTurn }: StoreDatabase,
  changed: ChangedFeeds,
): CompanyDefaultsStore {
  return {
    findDefaults: (companyId) => findDefaults(queries, companyId),
    async listFeedsAlike(companyId) {
      const alike = new Map<string, FeedsAlike>()
      await inRanges<Pick<Feed, 'createdAt' | 'id'>>({ createdAt: -1, id: '' }, async (from) => {
        const rows = await queries
          .selectFrom('feeds')
          .select([
            'id',
            'createdAt',
            'namedAfter',
            'audience',
            'locale',
            'localeSet',
            'ownOptions',
          ])
          .where('companyId', '=', companyId)
          .where(isOpen)
          .where(sql<boolean>`(created_at, id) > (${from.createdAt}, ${from.id})`)
          .orderBy('createdAt')
          .orderBy('id')
          .limit(rowsAtOnce)
          .execute()
        for (const { id, audience, namedAfter, ownOptions, ...row } of rows) {
          const set = { audience, isNamed: namedAfter === null, isLocaleSet: isLocaleSetIn(row) }
          const key = JSON.stringify([set, ownOptions])
          const { count } = alike.get(key) ?? { count: 0 }
          const own = readRow(`the feed ${id}`, () => ownOptionsIn(ownOptions))
          alike.set(key, { ...set, ownOptions: own, count: count + 1 })
        }
        return rows.length === rowsAtOnce ? rows.at(-1) : undefined
      })
      return [...alike.values()]
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
