/* Takes a person out of feeds; whoever changes one of them meanwhile waits, or finds it changed. */
import type { Transaction } from 'kysely'

import type { NamedFeed } from '../../domain/people/erasure.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { holds } from '../given-texts.ts'
import { idsColumn } from '../json-columns.ts'
import { takeTurn } from '../links/link-labels.ts'
import { feedsWith, readRow } from '../rows.ts'
import type { FeedRow, StoreTables } from '../tables.ts'

/** The person's feeds, by what has become of them. */
interface FeedsOfPerson {
  readonly removed: readonly NamedFeed[]
  readonly changed: readonly NamedFeed[]
}

type Queries = Transaction<StoreTables>

/** Removes the feeds of that person alone with all that belongs to them, and takes the person out of those of others too. */
export async function eraseFromFeeds(
  transaction: Queries,
  person: PersonInCompany,
): Promise<FeedsOfPerson> {
  const removed: NamedFeed[] = []
  const changed: NamedFeed[] = []
  const found = await feedsOf(transaction, person)
  for (const { id } of found) await takeTurn(transaction, id)
  for (const feed of await feedsOf(transaction, person)) {
    const isOthersToo = await isAlsoOfOthers(transaction, feed, person)
    await (isOthersToo ? removeFrom(transaction, feed, person) : remove(transaction, feed))
    const named = { id: feed.id, name: feed.name }
    if (isOthersToo) changed.push(named)
    else removed.push(named)
  }
  return { removed, changed }
}

function feedsOf(
  queries: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<readonly FeedRow[]> {
  const feeds = feedsWith(queries, userId).where('feeds.company_id', '=', companyId)
  return feeds.orderBy('feeds.created_at').orderBy('feeds.id').execute()
}

async function isAlsoOfOthers(
  queries: Queries,
  { id }: Pick<FeedRow, 'id'>,
  { userId }: PersonInCompany,
): Promise<boolean> {
  const users = queries.selectFrom('feed_users').select('user_id').where('feed_id', '=', id)
  return (await users.where('user_id', '<>', userId).limit(1).execute()).length > 0
}

async function remove(queries: Queries, { id }: Pick<FeedRow, 'id'>): Promise<void> {
  await queries.deleteFrom('feeds').where('id', '=', id).execute()
  // A creation is known by the hash of what was asked for, the person's id in it.
  await queries.deleteFrom('creations').where(holds('feed_ids', id)).execute()
}

async function removeFrom(
  queries: Queries,
  { id, user_ids: json, revision }: FeedRow,
  { userId }: PersonInCompany,
): Promise<void> {
  const userIds = readRow(`the feed ${id}`, () => idsColumn.parse(JSON.parse(json)))
  const others = userIds.filter((other) => other !== userId)
  const left = { user_ids: JSON.stringify(others), revision: revision + 1 }
  await queries.updateTable('feeds').set(left).where('id', '=', id).execute()
  const users = queries.deleteFrom('feed_users').where('feed_id', '=', id)
  await users.where('user_id', '=', userId).execute()
}
