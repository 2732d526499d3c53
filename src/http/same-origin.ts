import type { Request, RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'

/**
 * Refuses (`forbidden`) a change by a sign-in that does not come from a page of ours: browsers say where it comes from in
 * Sec-Fetch-Site (W3C Fetch Metadata) or Origin (RFC 6454 section 7), and what says neither is no browser of ours.
 */
export function requireSameOrigin(headers: Request['headers'], publicUrl: string): void {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isTold = origin !== undefined || site !== undefined
  const isOurs =
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || origin === new URL(publicUrl).origin)
  if (!isTold || !isOurs) throw new AppError('forbidden', 'This does not come from a page of ours.')
}

/** The same before anything else of the request is read. */
export function onlyFromOurs(publicUrl: string): RequestHandler {
  return ({ headers }, _response, next) => {
    requireSameOrigin(headers, publicUrl)
    next()
  }
}
