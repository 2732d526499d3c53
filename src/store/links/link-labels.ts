import type { Kysely } from 'kysely'

import type { FeedLink } from '../../domain/link.ts'
import type { LinkRow, StoreTables } from '../tables.ts'
import { copyLedger } from './ledger-rows.ts'
import { linkRow } from './link-rows.ts'

type Queries = Kysely<StoreTables>
type LinkName = Pick<FeedLink, 'feedId' | 'label'>

/** What is asked of a link that is found by its label. */
export type NamedLink = Pick<LinkRow, 'token_hash' | 'ends_at' | 'choices' | 'awaits_poll'>

/** The link of the feed by that label. */
export function findNamed(
  queries: Queries,
  { feedId, label }: LinkName,
): Promise<NamedLink | undefined> {
  const links = queries
    .selectFrom('links')
    .select(['token_hash', 'ends_at', 'choices', 'awaits_poll'])
  return links.where('feed_id', '=', feedId).where('label', '=', label).executeTakeFirst()
}

/** The wanted label, or the next one with a number that no link of the feed has. */
export async function freeLabel(queries: Queries, feedId: string, wanted: string): Promise<string> {
  const links = queries.selectFrom('links').select('label').where('feed_id', '=', feedId)
  const taken = new Set((await links.execute()).map((link) => link.label))
  let label = wanted
  for (let number = 2; taken.has(label); number += 1) label = `${wanted} ${number}`
  return label
}

/** Gives a link another label, and with it all that is known of its clients. */
export async function renameLink(queries: Queries, name: LinkName, label: string): Promise<void> {
  const links = queries.updateTable('links').where('feed_id', '=', name.feedId)
  await links.where('label', '=', name.label).set({ label }).execute()
}

/** New links of one feed, rotations, and choices for them, follow each other, on whatever nodes. */
export async function takeTurn(queries: Queries, feedId: string): Promise<void> {
  await queries.updateTable('feeds').set({ id: feedId }).where('id', '=', feedId).execute()
}

/** Adds the link, which goes on with the ledger of the ended one whose label it has, where there is one. */
export async function addLink(
  queries: Queries,
  link: FeedLink,
  ended: Uint8Array | undefined,
): Promise<void> {
  await queries.insertInto('links').values(linkRow(link)).execute()
  if (ended) await copyLedger(queries, ended, link.tokenHash)
}

/** A token hash tells ended links of one label apart; undefined where none of that label has ended. */
export async function renameEndedLink(
  queries: Queries,
  link: FeedLink,
): Promise<Uint8Array | undefined> {
  const named = await findNamed(queries, link)
  if (!named || named.ends_at === null || named.ends_at > link.createdAt) return undefined
  const suffix = Buffer.from(named.token_hash).toString('hex', 0, 4)
  await renameLink(queries, link, `${link.label} (${suffix})`)
  return named.token_hash
}
