import { createHash, timingSafeEqual } from 'node:crypto'

import type { RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'

/** Lets a request through only with `Authorization: Bearer ADMIN_TOKEN` (RFC 6750 section 2.1). */
export function requireAdmin({ adminToken }: { readonly adminToken: string }): RequestHandler {
  const expected = sha256(adminToken)
  return (request, _response, next) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (given !== undefined && timingSafeEqual(sha256(given), expected)) return next()
    throw new AppError('unauthorized', 'This needs the admin token as a bearer token.')
  }
}

/** Of equal length whatever comes, so that the comparison takes the same time. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
