import { type Kysely, sql, type SqlBool, type Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import type { Deed } from '../domain/access/audit-entry.ts'
import {
  anotherPerson,
  type Creation,
  creationKeptMs,
  type Feed,
  type FeedWithLink,
} from '../domain/feed.ts'
import { createRests } from '../json/rest.ts'
import { noteOnFeeds } from './access/deeds.ts'
import { idsColumn } from './json-columns.ts'
import { linkRow } from './links/link-rows.ts'
import { feedOf, feedRow, feedsWith, inParts, readRow } from './rows.ts'
import type { StoreTables } from './tables.ts'

/** A feed has sixteen values. */
const feedsPerInsert = 200
const usersPerInsert = 10_000

type Queries = Kysely<StoreTables>

/** Adds feeds, each with its first link, and notes the creation: all or nothing. */
export function addFeeds(
  queries: Queries,
  feeds: readonly FeedWithLink[],
  creation: Creation | undefined,
  deed: Deed | undefined,
): Promise<void> {
  return queries.transaction().execute(async (transaction) => {
    if (creation) await insertCreation(transaction, creation)
    await insertFeeds(transaction, feeds, deed)
  })
}

/** Adds those whose company, users and name no unrevoked feed has, and gives their ids. */
export function addMissingFeeds(
  { queries, takeTurn }: Database<StoreTables>,
  feeds: readonly FeedWithLink[],
  deed: Deed | undefined,
): Promise<ReadonlySet<string>> {
  const companyIds = new Set(feeds.map(({ feed }) => feed.companyId))
  return queries.transaction().execute(async (transaction) => {
    for (const id of [...companyIds].toSorted()) await takeTurn(transaction, turnOf(id))
    const missing = await findMissing(transaction, feeds)
    await insertFeeds(transaction, missing, deed)
    return new Set(missing.map(({ feed }) => feed.id))
  })
}

/** Adds the feed where its person has never had one of their own; false where they have. */
export function addOnlyFeed(
  { queries, takeTurn }: Database<StoreTables>,
  only: FeedWithLink,
  deed: Deed | undefined,
): Promise<boolean> {
  const { companyId, userIds } = only.feed
  return queries.transaction().execute(async (transaction) => {
    await takeTurn(transaction, turnOf(companyId))
    const before = await feedsWith(transaction, userIds[0] ?? '')
      .where('feeds.company_id', '=', companyId)
      .where('feeds.audience', '=', 'own')
      .where(isOfTheirs)
      .limit(1)
      .executeTakeFirst()
    if (!before) await insertFeeds(transaction, [only], deed)
    return before === undefined
  })
}

function turnOf(companyId: string): string {
  return `feeds of ${companyId}`
}

/** What was made under that key. */
export async function findCreation(
  queries: Queries,
  keyHash: string,
): Promise<Creation | undefined> {
  const row = await queries
    .selectFrom('creations')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  return (
    row &&
    readRow('the feeds that were made under a key', () => ({
      keyHash,
      requestHash: row.request_hash,
      feedIds: idsColumn.parse(JSON.parse(row.feed_ids)),
      createdAt: row.created_at,
    }))
  )
}

/** Notes who is in them. */
export async function insertUsers(queries: Queries, feeds: readonly Feed[]): Promise<void> {
  const rows = feeds.flatMap(({ id, userIds }) =>
    [...new Set(userIds)].map((userId) => ({ feed_id: id, user_id: userId })),
  )
  for (const some of inParts(rows, usersPerInsert)) {
    await queries.insertInto('feed_users').values(some).execute()
  }
}

/** A key that is known no longer may be used again. */
async function insertCreation(
  transaction: Transaction<StoreTables>,
  { keyHash, requestHash, feedIds, createdAt }: Creation,
): Promise<void> {
  const forgotten = createdAt - creationKeptMs
  await transaction.deleteFrom('creations').where('created_at', '<=', forgotten).execute()
  await transaction
    .insertInto('creations')
    .values({
      key_hash: keyHash,
      request_hash: requestHash,
      feed_ids: JSON.stringify(feedIds),
      created_at: createdAt,
    })
    .execute()
}

async function insertFeeds(
  transaction: Transaction<StoreTables>,
  all: readonly FeedWithLink[],
  deed: Deed | undefined,
): Promise<void> {
  const rests = createRests()
  for (const some of inParts(all, feedsPerInsert)) {
    if (rests.isDue()) await rests.take()
    const feeds = some.map(({ feed }) => feed)
    await transaction.insertInto('feeds').values(feeds.map(feedRow)).execute()
    await insertUsers(transaction, feeds)
    const links = some.map(({ link }) => linkRow(link))
    await transaction.insertInto('links').values(links).execute()
    await noteOnFeeds(transaction, deed, some)
  }
}

async function findMissing(
  queries: Queries,
  feeds: readonly FeedWithLink[],
): Promise<readonly FeedWithLink[]> {
  const known = new Set<string>()
  for (const some of inParts(feeds, feedsPerInsert)) {
    for (const feed of await findLike(queries, some)) known.add(identityOf(feed))
  }
  return feeds.filter(({ feed }) => !known.has(identityOf(feed)))
}

async function findLike(
  queries: Queries,
  feeds: readonly FeedWithLink[],
): Promise<readonly Feed[]> {
  const users = feeds.flatMap(({ feed }) => feed.userIds.slice(0, 1))
  const names = feeds.map(({ feed }) => feed.name)
  const rows = await queries
    .selectFrom('feeds')
    .selectAll()
    .where('id', 'in', (of) =>
      of.selectFrom('feed_users').select('feed_id').where('user_id', 'in', users),
    )
    .where('name', 'in', names)
    .where('revoked_at', 'is', null)
    .where(isOfTheirs)
    .execute()
  return rows.map(feedOf)
}

/** The calendar of whoever had the id before stands in nobody's way. */
const isOfTheirs = sql<SqlBool>`(closed_because is null or closed_because <> ${sql.lit(anotherPerson)})`

function identityOf({ companyId, userIds, name }: Feed): string {
  return JSON.stringify([companyId, userIds, name])
}
