import type { Kysely } from 'kysely'

import type { FeedLink } from '../domain/feed.ts'
import type { StoreTables } from './tables.ts'

type Queries = Kysely<StoreTables>
type LinkName = Pick<FeedLink, 'feedId' | 'label'>

/** Gives the link an end, unless it ends earlier anyway; false if there is no such link. */
export async function endLink(
  queries: Queries,
  { feedId, label }: LinkName,
  { endsAt, endingSince, purged }: Pick<FeedLink, 'endingSince' | 'purged'> & { endsAt: number },
): Promise<boolean> {
  await queries
    .updateTable('links')
    .set({ ends_at: endsAt, ending_since: endingSince, purged: purged ? 1 : 0 })
    .where('feed_id', '=', feedId)
    .where('label', '=', label)
    .where((links) => links.or([links('ends_at', 'is', null), links('ends_at', '>', endsAt)]))
    .execute()
  const link = await queries
    .selectFrom('links')
    .select('label')
    .where('feed_id', '=', feedId)
    .where('label', '=', label)
    .executeTakeFirst()
  return link !== undefined
}

/** The wanted label, or the next one with a number that no link of the feed has. */
export async function freeLabel(queries: Queries, feedId: string, wanted: string): Promise<string> {
  const links = await queries
    .selectFrom('links')
    .select('label')
    .where('feed_id', '=', feedId)
    .execute()
  const taken = new Set(links.map(({ label }) => label))
  let label = wanted
  for (let number = 2; taken.has(label); number += 1) label = `${wanted} ${number}`
  return label
}

/** Gives a link another label, and with it all that is known of its clients. */
export async function renameLink(
  queries: Queries,
  { feedId, label }: LinkName,
  renamed: string,
): Promise<void> {
  await queries
    .updateTable('links')
    .set({ label: renamed })
    .where('feed_id', '=', feedId)
    .where('label', '=', label)
    .execute()
}
