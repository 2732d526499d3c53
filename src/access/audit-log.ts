import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Doer } from '../domain/access/staff.ts'
import { parseQuery } from '../feeds/feed-input.ts'
import { makeCursor, parseCursor } from '../feeds/list-cursor.ts'
import { auditListSchema, type AuditPage, viewEntry } from './audit-view.ts'

interface AuditLogDeps {
  readonly audit: Pick<AuditStore, 'listEntries'>
}

/** Says who did what. */
export class AuditLog {
  readonly #deps: AuditLogDeps

  constructor(deps: AuditLogDeps) {
    this.#deps = deps
  }

  /** A page, the last first; to those of one company only what was done there. `invalid` for wrong filters. */
  async list({ companyId }: Pick<Doer, 'companyId'>, query: object): Promise<AuditPage> {
    const { limit, cursor, ...asked } = parseQuery(auditListSchema, query)
    const behind = cursor === undefined ? undefined : parseCursor(cursor)
    const after = behind && { at: behind.createdAt, id: behind.id }
    const filter = { ...asked, companyId, after, limit: limit + 1 }
    const found = await this.#deps.audit.listEntries(filter)
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    const hasMore = found.length > limit && last !== undefined
    const nextCursor = hasMore ? makeCursor({ createdAt: last.at, id: last.id }) : null
    return { data: entries.map(viewEntry), nextCursor }
  }
}
