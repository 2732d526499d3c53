import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { given } from '../database/prepared-read.ts'
import { type DoubtStore, emptyHash } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { doubtOf, headOf } from './copies.ts'
import type { StoreDatabase } from './tables.ts'

/** Doubts, stored in the row of their copy. */
export function doubtStore({ queries, prepareRead }: StoreDatabase): DoubtStore {
  const copiesOf = (connectionId: string) =>
    queries.selectFrom('copies').selectAll().where('connectionId', '=', connectionId)
  const readFilled = prepareRead<object, { readonly key: string }>(
    queries
      .selectFrom('copies')
      .select('key')
      .where('connectionId', '=', given<string>('connectionId'))
      .where(isWithin(given('kind'), given('end')))
      .where('contentHash', '<>', emptyHash)
      .limit(given<number>('most')),
  )
  return {
    async saveDoubt(connectionId, key, doubt) {
      const copies = queries.updateTable('copies').where((of) => of.and({ connectionId, key }))
      await copies.set({ doubt: doubt && JSON.stringify(doubt) }).execute()
    },
    async listDoubted(connectionId) {
      const rows = await copiesOf(connectionId).where('doubt', 'is not', null).execute()
      return rows.map(headOf)
    },
    async countDoubted(connectionId) {
      const { count } = await queries
        .selectFrom('copies')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('connectionId', '=', connectionId)
        .where('doubt', 'is not', null)
        .executeTakeFirstOrThrow()
      return count
    },
    async listFilled(connectionId, kind, limit) {
      const rows = await copiesOf(connectionId)
        .where(isWithin(kind, endOf(kind)))
        .where('contentHash', '<>', emptyHash)
        .orderBy('fetchedAt')
        .limit(limit)
        .execute()
      return rows.map(headOf)
    },
    countFilled: async (connectionId, kind, most) =>
      (await readFilled({ connectionId, kind, end: endOf(kind), most })).length,
    async countEmptied(connectionId, kind, since) {
      const rows = await queries
        .selectFrom('copies')
        .select(['contentHash', 'doubt'])
        .where('connectionId', '=', connectionId)
        .where(isWithin(kind, endOf(kind)))
        .where((of) => of.or([of('contentHash', '<>', emptyHash), of('emptiedAt', '>=', since)]))
        .execute()
      const emptied = rows.filter((row) => {
        const doubt = doubtOf(row)
        const isSaidToBe = doubt !== undefined && doubt.ofAll && doubt.since >= since
        return row.contentHash === emptyHash || isSaidToBe
      })
      return { filled: rows.length, emptied: emptied.length }
    },
  }
}

type Text = string | RawBuilder<string>

function isWithin(kind: Text, end: Text): RawBuilder<SqlBool> {
  return sql<SqlBool>`key >= ${kind} and key < ${end}`
}

/** The exclusive upper bound of the keys of a kind: keys are ordered by bytes, and `;` follows `:`. */
function endOf(kind: CollectionKind): string {
  return `${kind};`
}
