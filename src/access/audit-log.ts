import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import { parseQuery } from '../feeds/feed-input.ts'
import { makeCursor, parseCursor } from '../feeds/list-cursor.ts'
import { readInParts } from '../feeds/page-parts.ts'
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
  async list({ companyId }: Pick<Actor, 'companyId'>, query: object): Promise<AuditPage> {
    const { limit, cursor, ...asked } = parseQuery(auditListSchema, query)
    const behind = cursor === undefined ? null : parseCursor(cursor)
    const { data, end } = await readInParts({
      begin: behind && { at: behind.createdAt, id: behind.id },
      limit,
      read: (after, most) =>
        this.#deps.audit.listEntries({ ...asked, companyId, after, limit: most }),
      view: async (entries) => entries.map(viewEntry),
    })
    return { data, nextCursor: end && makeCursor({ createdAt: end.at, id: end.id }) }
  }
}
