import { type Kysely, sql } from 'kysely'

import type { Dialect } from '../database/database.ts'
import type { Feed, FeedWithLink } from '../domain/feed.ts'
import { feedOf, feedRow } from './feed-rows.ts'
import { linkRow } from './link-store.ts'
import type { StoreTables } from './tables.ts'

/** Of one statement: SQLite takes 32,766 values, a feed has sixteen. */
const feedsPerInsert = 500
const usersPerInsert = 10_000

type Queries = Kysely<StoreTables>

/** Until the transaction ends nobody else has their turn; SQLite's transactions begin with the one lock that it has. */
export async function takeCompaniesTurn(
  queries: Queries,
  dialect: Dialect,
  feeds: readonly FeedWithLink[],
): Promise<void> {
  if (dialect !== 'postgres') return
  for (const companyId of [...new Set(feeds.map(({ feed }) => feed.companyId))].toSorted()) {
    const key = `feeds of ${companyId}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(queries)
  }
}

/** Those whose company, users and name no unrevoked feed has. */
export async function findMissing(
  queries: Queries,
  feeds: readonly FeedWithLink[],
): Promise<readonly FeedWithLink[]> {
  const known = new Set<string>()
  for (let start = 0; start < feeds.length; start += feedsPerInsert) {
    const part = feeds.slice(start, start + feedsPerInsert).map(({ feed }) => feed)
    for (const feed of await findLike(queries, part)) known.add(identityOf(feed))
  }
  return feeds.filter(({ feed }) => !known.has(identityOf(feed)))
}

/** Adds feeds, each with its first link. */
export async function insertFeeds(queries: Queries, feeds: readonly FeedWithLink[]): Promise<void> {
  for (let start = 0; start < feeds.length; start += feedsPerInsert) {
    await insertSome(queries, feeds.slice(start, start + feedsPerInsert))
  }
}

async function findLike(queries: Queries, feeds: readonly Feed[]): Promise<readonly Feed[]> {
  const users = feeds.flatMap(({ userIds }) => userIds.slice(0, 1))
  const names = feeds.map(({ name }) => name)
  const rows = await queries
    .selectFrom('feeds')
    .selectAll()
    .where('id', 'in', (of) =>
      of.selectFrom('feed_users').select('feed_id').where('user_id', 'in', users),
    )
    .where('name', 'in', names)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(feedOf)
}

function identityOf({ companyId, userIds, name }: Feed): string {
  return JSON.stringify([companyId, userIds, name])
}

async function insertSome(queries: Queries, feeds: readonly FeedWithLink[]): Promise<void> {
  const rows = feeds.map(({ feed }) => feedRow(feed))
  await queries.insertInto('feeds').values(rows).execute()
  await insertUsers(
    queries,
    feeds.map(({ feed }) => feed),
  )
  const links = feeds.map(({ link }) => linkRow(link))
  await queries.insertInto('links').values(links).execute()
}

/** Who is in them. */
export async function insertUsers(queries: Queries, feeds: readonly Feed[]): Promise<void> {
  const rows = feeds.flatMap(({ id, userIds }) =>
    [...new Set(userIds)].map((userId) => ({ feed_id: id, user_id: userId })),
  )
  for (let start = 0; start < rows.length; start += usersPerInsert) {
    const part = rows.slice(start, start + usersPerInsert)
    await queries.insertInto('feed_users').values(part).execute()
  }
}
