import { randomUUID } from 'node:crypto'

import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../database/database.ts'
import {
  type AuditEntry,
  type AuditFilter,
  type AuditStore,
  type AuditEvent,
  type AuditSubject,
  dayBefore,
  refuseTooMany,
} from '../domain/access/audit-entry.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { inRanges, idsColumn, readRow, inParts } from './rows.ts'
import type { StoreTables, AuditRow } from './tables.ts'

/** No index says whom an entry is about, and one may name five hundred: nobody else would be answered while all are looked at. */
const rowsAtOnce = 250

/** Who did what; what stores note with a change itself stands here too. */
export class SqlAuditStore implements AuditStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async addEntry(auditEvent: AuditEvent, object: AuditSubject): Promise<void> {
    await this.#queries.insertInto('audit').values(auditRow(auditEvent, object)).execute()
  }

  async listEntries(filter: AuditFilter): Promise<readonly AuditEntry[]> {
    const { userId, after, actions, limit } = filter
    if (actions?.length === 0) return []
    if (userId == null) return (await this.#rows(filter).limit(limit).execute()).map(entryOf)
    const found: AuditRow[] = []
    await inRanges<AuditFilter['after']>(after ?? null, async (behind) => {
      const rows = this.#rows({ ...filter, after: behind })
      const end = await rows
        .clearSelect()
        .select(['at', 'id'])
        .offset(rowsAtOnce)
        .limit(1)
        .executeTakeFirst()
      const within = end ? rows.where(sql<boolean>`(at, id) >= (${end.at}, ${end.id})`) : rows
      found.push(
        ...(await within
          .where(isAbout(userId))
          .limit(limit - found.length)
          .execute()),
      )
      return found.length < limit ? end : undefined
    })
    return found.map(entryOf)
  }

  /** Newest first, about anybody. */
  #rows({ companyId, feedId, actions, since, after }: AuditFilter) {
    return this.#queries
      .selectFrom('audit')
      .selectAll()
      .where((audit) =>
        audit.and([
          ...(companyId == null ? [] : [audit('company_id', '=', companyId)]),
          ...(feedId == null ? [] : [audit('feed_id', '=', feedId)]),
          ...(actions == null ? [] : [audit('action', 'in', actions)]),
          ...(since == null ? [] : [audit('at', '>=', since)]),
          ...(after == null ? [] : [sql<boolean>`(at, id) < (${after.at}, ${after.id})`]),
        ]),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
  }

  async dropBefore(instant: Instant): Promise<void> {
    await this.#queries.deleteFrom('audit').where('at', '<', instant).execute()
  }
}

/** Letter by letter, as LIKE does not compare them on SQLite; only an element of the list stands behind `[` or `,`. */
function isAbout(userId: string): RawBuilder<SqlBool> {
  const id = JSON.stringify(userId)
  const [first, other] = [`[${id}`, `,${id}`]
  return sql<SqlBool>`(replace(user_ids, ${first}, '') <> user_ids
    or replace(user_ids, ${other}, '') <> user_ids)`
}

function entryOf(row: AuditRow): AuditEntry {
  const { id, at, actor, action, label } = row
  const userIds = readRow('an entry of the audit', () => idsColumn.parse(JSON.parse(row.user_ids)))
  return { id, at, actor, action, companyId: row.company_id, feedId: row.feed_id, userIds, label }
}

/* How the stores note who did what, in the transaction in which it is done. */

/** An entry has eight values. */
const entriesPerInsert = 2000

type Queries = Kysely<StoreTables>

/** The row that holds a audit event. */
export function auditRow({ at, actor, action }: AuditEvent, object: AuditSubject): AuditRow {
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
  auditEvent: AuditEvent | undefined,
  feeds: readonly { readonly feed: Feed; readonly link?: Pick<FeedLink, 'label'> }[],
): Promise<void> {
  if (!auditEvent) return
  const rows = feeds.map(({ feed: { id: feedId, companyId, userIds }, link }) =>
    auditRow(auditEvent, { companyId, feedId, userIds, label: link?.label ?? null }),
  )
  for (const { feed_id, label } of rows) await refuseTooOften(queries, auditEvent, feed_id, label)
  for (const some of inParts(rows, entriesPerInsert)) {
    await queries.insertInto('audit').values(some).execute()
  }
}

/** Notes what is done to a link, in its feed's turn, where there is anything to note. */
export async function noteOnLink(
  queries: Queries,
  auditEvent: AuditEvent | undefined,
  { feedId, label }: { readonly feedId: string; readonly label: string },
): Promise<void> {
  if (!auditEvent) return
  await refuseTooOften(queries, auditEvent, feedId, label)
  const { at, actor, action } = auditEvent
  await sql`insert into audit (id, at, actor, action, company_id, feed_id, user_ids, label)
    select ${randomUUID()}, cast(${at} as bigint), ${actor}, ${action}, company_id, id, user_ids, ${label}
      from feeds where id = ${feedId}`.execute(queries)
}

async function refuseTooOften(
  queries: Queries,
  { at: now, actor, action, mostADay }: AuditEvent,
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
