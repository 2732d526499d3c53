import type { RequestHandler } from 'express'

import { isAdminToken } from '../access/admin-token.ts'
import { AppError } from '../domain/errors.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import type { HttpDeps } from './http-deps.ts'

const failuresPerMinute = 30

/**
 * Lets a request through only with `Authorization: Bearer ADMIN_TOKEN` (RFC 6750 section 2.1). An address that fails
 * too often within a minute is told 429 in place of 401; the right token is let through at any time.
 */
export function requireAdmin({
  adminToken,
  clock,
}: Pick<HttpDeps, 'adminToken' | 'clock'>): RequestHandler {
  const failures = new RequestLimit(failuresPerMinute, clock)
  return (request, _response, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (given !== undefined && isAdminToken(given, adminToken)) return next()
    failures.take(addressKey(request))
    throw new AppError('unauthorized', 'This needs the admin token as a bearer token.')
  }
}
