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
import { idsColumn } from '../json-columns.ts'
import { readRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { auditRow } from './deeds.ts'
import type { AuditRow } from './tables.ts'

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
    const { companyId, feedId, userId, actions, since, after, limit } = filter
    if (actions?.length === 0) return []
    const rows = await this.#queries
      .selectFrom('audit')
      .selectAll()
      .where((audit) =>
        audit.and([
          ...(companyId == null ? [] : [audit('company_id', '=', companyId)]),
          ...(feedId == null ? [] : [audit('feed_id', '=', feedId)]),
          ...(userId == null ? [] : [isAbout(userId)]),
          ...(actions == null ? [] : [audit('action', 'in', actions)]),
          ...(since == null ? [] : [audit('at', '>=', since)]),
          ...(after == null ? [] : [sql<boolean>`(at, id) < (${after.at}, ${after.id})`]),
        ]),
      )
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(entryOf)
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
