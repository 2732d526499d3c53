import { sql } from 'kysely'

import { type CopyName, keyPrefix, type RetentionStore } from '../domain/copy.ts'
import { inRanges, isOpen, optionsHold } from './rows.ts'
import type { StoreDatabase } from './tables.ts'

const leavesOf = keyPrefix('leaves')
/** One read of a million feeds would block for more than half a second. */
const rowsAtOnceMax = 5000

/** Finds and deletes what no open feed needs any more. */
export function retentionStore(
  { queries, dropBackups, emptyLog }: StoreDatabase,
  rowsAtOnce = rowsAtOnceMax,
): RetentionStore {
  const copies = queries.selectFrom('copies').select(['connectionId', 'key'])
  return {
    listCopiesWithReasons: () =>
      copies.where('withReasons', '=', 1).where('key', 'like', `${leavesOf}%`).execute(),
    async listCopiesBefore(fetchedBefore) {
      const listed: CopyName[] = []
      await inRanges<CopyName>({ connectionId: '', key: '' }, async (from) => {
        const after = copies.where(
          sql<boolean>`(connection_id, key) > (${from.connectionId}, ${from.key})`,
        )
        const ordered = after.orderBy('connectionId').orderBy('key')
        const to = await ordered.limit(1).offset(rowsAtOnce).executeTakeFirst()
        const within = to
          ? after.where(sql<boolean>`(connection_id, key) <= (${to.connectionId}, ${to.key})`)
          : after
        listed.push(...(await within.where('fetchedAt', '<', fetchedBefore).execute()))
        return to
      })
      return listed
    },
    listDraftCopiesBefore: (fetchedBefore) =>
      copies.where('ofDraft', '=', 1).where('fetchedAt', '<', fetchedBefore).execute(),
    async adoptCopy(name) {
      const adopted = queries.updateTable('copies').set({ ofDraft: 0 })
      await adopted.where((of) => of.and({ ...name })).execute()
    },
    async hasOpenFeed(companyId, { userId, names }) {
      const feed = await queries
        .selectFrom('feeds')
        .select('id')
        .where('companyId', '=', companyId)
        .where(isOpen)
        .where((feeds) => {
          const people = feeds.selectFrom('feedUsers').select('feedId')
          return feeds.and([
            ...(userId == null ? [] : [feeds('id', 'in', people.where('userId', '=', userId))]),
            ...(names == null ? [] : [optionsHold(JSON.stringify(names))]),
          ])
        })
        .limit(1)
        .executeTakeFirst()
      return feed !== undefined
    },
    purgeCopy: ({ connectionId, key }) =>
      queries.transaction().execute(async (transaction) => {
        const purged = transaction.deleteFrom('copies')
        await purged.where((of) => of.and({ connectionId, key })).execute()
        if (!key.startsWith(leavesOf)) return
        const userId = key.slice(leavesOf.length)
        const claims = transaction.deleteFrom('leaveOwners')
        await claims.where((of) => of.and({ connectionId, userId, contested: 0 })).execute()
      }),
    async purgeDepartures() {
      await sql`delete from departures
        where not exists (select 1 from people
            where people.company_id = departures.company_id and people.user_id = departures.user_id)
          and not exists (select 1 from feed_users join feeds on feeds.id = feed_users.feed_id
            where feed_users.user_id = departures.user_id
              and feeds.company_id = departures.company_id and feeds.revoked_at is null)`.execute(
        queries,
      )
    },
    async purgeLedgers({ revokedBefore, closedBefore }) {
      let purged = 0
      await inRanges<Uint8Array>(new Uint8Array(), async (from) => {
        const links = queries.selectFrom('links').select('tokenHash').where('tokenHash', '>', from)
        const ordered = links.orderBy('tokenHash').limit(1).offset(rowsAtOnce)
        const to = (await ordered.executeTakeFirst())?.tokenHash
        const isWithin = to ? sql`token_hash <= ${to}` : sql`true`
        const { numAffectedRows = 0n } = await sql`delete from ledgers where token_hash in (
          select token_hash from links join feeds on feeds.id = links.feed_id
          where token_hash > ${from} and ${isWithin}
            and (ends_at < ${closedBefore} or revoked_at < ${revokedBefore}
              or closed_at < ${closedBefore}))`.execute(queries)
        purged += Number(numAffectedRows)
        return to
      })
      return purged
    },
    purgeBackups: (madeBefore) => dropBackups(madeBefore),
    forgetPurged: () => emptyLog(0),
  }
}
