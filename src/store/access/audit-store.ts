import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/database.ts'
import type {
  AuditEntry,
  AuditFilter,
  AuditStore,
  Deed,
  DeedObject,
} from '../../domain/access/audit-entry.ts'
import type { Instant } from '../../domain/world.ts'
import { inRanges } from '../in-ranges.ts'
import { idsColumn } from '../json-columns.ts'
import { readRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { auditRow } from './deeds.ts'
import type { AuditRow } from './tables.ts'

/** No index says whom an entry is about, and one may name five hundred: nobody else would be answered while all are looked at. */
const rowsAtOnce = 250

/** Who did what; what stores note with a change itself stands here too. */
export class SqlAuditStore implements AuditStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async addEntry(deed: Deed, object: DeedObject): Promise<void> {
    await this.#queries.insertInto('audit').values(auditRow(deed, object)).execute()
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
