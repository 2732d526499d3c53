import type { Request, Response } from 'express'

import { asAppError } from '../domain/errors.ts'
import { setRetryAfter, statusOf } from '../web/problem.ts'
import { setCommonHeaders } from './feed-routes.ts'

/** Where nothing better is known. */
const retryAfterSeconds = '120'

/**
 * Answers what went wrong with a feed in plain text, never in HTML: a calendar client must not take a page for a calendar,
 * and would delete what the page lacks. An address that never was answers 404 with the same bytes whatever is wrong with
 * it, one that has ended 410, a calendar that may not be shown now 503 with `Retry-After`.
 */
export function sendFeedError(response: Response, error: unknown): void {
  const known = asAppError(error)
  const status = known ? statusOf(known) : 500
  if (status === 503) response.setHeader('Retry-After', retryAfterSeconds)
  if (known) setRetryAfter(response, known)
  const text = known ? known.message : 'Something went wrong here; ask again later.'
  setCommonHeaders(response)
  if (status === 429 || status >= 500) response.setHeader('Cache-Control', 'no-store')
  response.removeHeader('ETag')
  response.removeHeader('Last-Modified')
  response.status(status).type('text/plain').send(`${text}\n`)
}

/** Answers 405 to every method but GET and HEAD (RFC 9110 section 15.5.6). */
export function refuseMethod(_request: Request, response: Response): void {
  setCommonHeaders(response)
  response.setHeader('Allow', 'GET, HEAD')
  response.status(405).type('text/plain').send('A calendar can only be read.\n')
}
