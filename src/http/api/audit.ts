import type { Request, Response } from 'express'

import type { AuditPage } from '../../access/audit-view.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'

/** `GET /api/audit`: who did what, the last first. */
export function listAudit({ access }: Pick<HttpDeps, 'access'>) {
  return async ({ query }: Request, response: Response<AuditPage>): Promise<void> => {
    response.json(await access.auditLog.list(staffOf(response), query))
  }
}
