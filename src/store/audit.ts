import { randomUUID } from 'node:crypto'

import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Dialect } from '../database/database.ts'
import {
  type AuditEntry,
  type AuditEvent,
  type AuditFilter,
  type AuditStore,
  type AuditSubject,
  dayBefore,
  refuseTooMany,
} from '../domain/access/audit-entry.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import { idsIn, inParts, inRanges, readRow, rowOf } from './rows.ts'
import type { AuditRow, Queries, StoreDatabase } from './tables.ts'

/**
 * No index covers who did what to whom, so a filter may look through all entries: in parts, so that other requests are
 * served. One may name five hundred people; on SQLite a part is as large as can be read within `partMs`. PostgreSQL serves
 * other requests meanwhile: its parts become larger and larger.
 */
const rowsAtFirst = { sqlite: 250, postgres: 5000 } as const
const partMs = 8

/** The audit log. */
export function auditStore({ queries, dialect }: StoreDatabase): AuditStore {
  const rowsBehind = ({ companyId, feedId, since, until, after }: AuditFilter) =>
    queries
      .selectFrom('audit')
      .selectAll()
      .where((audit) =>
        audit.and([
          ...(companyId == null ? [] : [audit('companyId', '=', companyId)]),
          ...(feedId == null ? [] : [audit('feedId', '=', feedId)]),
          ...(since == null ? [] : [audit('at', '>=', since)]),
          ...(until == null ? [] : [audit('at', '<', until)]),
          ...(after == null ? [] : [sql<boolean>`(at, id) < (${after.at}, ${after.id})`]),
        ]),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
  return {
    addEntry: (auditEvent, subject) => note(queries, auditEvent, [subject]),
    async listEntries(filter) {
      const { after, feedId, actors, actions, limit } = filter
      if (actors?.length === 0 || actions?.length === 0) return []
      const picked = pickedBy(filter, dialect)
      // One feed has few entries.
      if (picked.length === 0 || feedId != null) {
        const rows = rowsBehind(filter).where((audit) => audit.and(picked))
        return (await rows.limit(limit).execute()).map(entryOf)
      }
      const found: AuditRow[] = []
      let size: number = rowsAtFirst[dialect]
      await inRanges<AuditFilter['after']>(after ?? null, async (behind) => {
        const begunAt = performance.now()
        const rows = rowsBehind({ ...filter, after: behind })
        const end = await rows
          .clearSelect()
          .select(['at', 'id'])
          .offset(size)
          .limit(1)
          .executeTakeFirst()
        const within = end ? rows.where(sql<boolean>`(at, id) >= (${end.at}, ${end.id})`) : rows
        const those = within.where((audit) => audit.and(picked)).limit(limit - found.length)
        found.push(...(await those.execute()))
        const isQuick = dialect === 'postgres' || performance.now() - begunAt < partMs
        size = isQuick ? 2 * size : Math.max(rowsAtFirst[dialect], size / 2)
        return found.length < limit ? end : undefined
      })
      return found.map(entryOf)
    },
    async dropBefore(instant) {
      await queries.deleteFrom('audit').where('at', '<', instant).execute()
    },
  }
}

/** Conditions that no index covers. */
function pickedBy(
  { userId, actors, actions }: AuditFilter,
  dialect: Dialect,
): readonly RawBuilder<SqlBool>[] {
  return [
    ...(userId == null ? [] : [isAbout(userId, dialect)]),
    ...(actors == null ? [] : [sql<SqlBool>`actor in (${sql.join(actors)})`]),
    ...(actions == null ? [] : [sql<SqlBool>`action in (${sql.join(actions)})`]),
  ]
}

/** Exact case, unlike LIKE on SQLite. Only a list element follows `[` or `,`. */
function isAbout(userId: string, dialect: Dialect): RawBuilder<SqlBool> {
  const id = JSON.stringify(userId)
  const placeOf = sql.raw(dialect === 'postgres' ? 'strpos' : 'instr')
  return sql<SqlBool>`(${placeOf}(user_ids, ${`[${id}`}) > 0 or ${placeOf}(user_ids, ${`,${id}`}) > 0)`
}

export function entryOf(row: AuditRow): AuditEntry {
  return readRow('an entry of the audit', () => ({ ...row, userIds: idsIn(row.userIds) }))
}

/* Audit events are stored in the transaction of their change. */

/** An entry has eight values; SQLite allows 32,766 per statement. */
const entriesPerInsert = 2000

/** Stores an audit event for each subject. */
export async function note(
  queries: Queries,
  auditEvent: AuditEvent | undefined,
  subjects: readonly AuditSubject[],
): Promise<void> {
  if (!auditEvent) return
  const { at, actor, action } = auditEvent
  for (const { feedId, label } of subjects) await refuseTooOften(queries, auditEvent, feedId, label)
  const rows = subjects.map((subject) => rowOf({ id: randomUUID(), at, actor, action, ...subject }))
  for (const some of inParts(rows, entriesPerInsert)) {
    await queries.insertInto('audit').values(some).execute()
  }
}

/**
 * Stores an audit event for each feed, with the first link of created ones. Call it after the change, which orders changes
 * of one feed.
 */
export function noteOnFeeds(
  queries: Queries,
  auditEvent: AuditEvent | undefined,
  feeds: readonly { readonly feed: Feed; readonly link?: FeedLink }[],
): Promise<void> {
  const subjects = feeds.map(({ feed: { id: feedId, companyId, userIds }, link }) => {
    return { companyId, feedId, userIds, label: link?.label ?? null }
  })
  return note(queries, auditEvent, subjects)
}

/** Stores an audit event for a link, in the turn of its feed. */
export async function noteOnLink(
  queries: Queries,
  auditEvent: AuditEvent | undefined,
  { feedId, label }: Pick<FeedLink, 'feedId' | 'label'>,
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
    .where((of) => of.and({ feedId, action, actor }))
    .where('at', '>', dayBefore(now))
    .where('label', 'is not distinct from', label)
    .execute()
  const times = before.map(({ at }) => at)
  refuseTooMany(mostADay, times, now)
}
