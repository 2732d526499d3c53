/* How the stores note who did what, in the transaction in which it is done. */
import { randomUUID } from 'node:crypto'

import { type Kysely, sql } from 'kysely'

import type { Deed, DeedObject } from '../../domain/access/audit-entry.ts'
import { dayBefore, refuseTooMany } from '../../domain/access/daily-limit.ts'
import type { Feed } from '../../domain/feed.ts'
import type { FeedLink } from '../../domain/link.ts'
import { inParts } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import type { AuditRow } from './tables.ts'

/** An entry has eight values. */
const entriesPerInsert = 2000

type Queries = Kysely<StoreTables>

/** The row that holds a deed. */
export function auditRow({ at, actor, action }: Deed, object: DeedObject): AuditRow {
  const { companyId, feedId, userIds, label } = object
  const told = { company_id: companyId, feed_id: feedId, user_ids: JSON.stringify(userIds), label }
  return { id: randomUUID(), at, actor, action, ...told }
}

/**
 * Notes what is done to each of the feeds, with the first link of those that are made, where there is anything to note. Comes
 * after the change itself, by which those of one feed follow each other.
 */
export async function noteOnFeeds(
  queries: Queries,
  deed: Deed | undefined,
  feeds: readonly { readonly feed: Feed; readonly link?: Pick<FeedLink, 'label'> }[],
): Promise<void> {
  if (!deed) return
  const rows = feeds.map(({ feed: { id: feedId, companyId, userIds }, link }) =>
    auditRow(deed, { companyId, feedId, userIds, label: link?.label ?? null }),
  )
  for (const { feed_id, label } of rows) await refuseTooOften(queries, deed, feed_id, label)
  for (const some of inParts(rows, entriesPerInsert)) {
    await queries.insertInto('audit').values(some).execute()
  }
}

/** Notes what is done to a link, in its feed's turn, where there is anything to note. */
export async function noteOnLink(
  queries: Queries,
  deed: Deed | undefined,
  { feedId, label }: { readonly feedId: string; readonly label: string },
): Promise<void> {
  if (!deed) return
  await refuseTooOften(queries, deed, feedId, label)
  const { at, actor, action } = deed
  await sql`insert into audit (id, at, actor, action, company_id, feed_id, user_ids, label)
    select ${randomUUID()}, cast(${at} as bigint), ${actor}, ${action}, company_id, id, user_ids, ${label}
      from feeds where id = ${feedId}`.execute(queries)
}

async function refuseTooOften(
  queries: Queries,
  { at: now, actor, action, mostADay }: Deed,
  feedId: string | null,
  label: string | null,
): Promise<void> {
  if (mostADay === undefined) return
  const before = await queries
    .selectFrom('audit')
    .select('at')
    .where('feed_id', '=', feedId)
    .where('at', '>', dayBefore(now))
    .where('label', 'is not distinct from', label)
    .where('action', '=', action)
    .where('actor', '=', actor)
    .execute()
  const times = before.map(({ at }) => at)
  refuseTooMany(mostADay, times, now)
}
