import type { Request, RequestHandler } from 'express'

import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../domain/world.ts'
import { hashOfKey, type SandboxKeys } from '../../settings/sandbox-keys.ts'
import { isFromHere } from '../../web/loopback.ts'
import { addressKey, RequestLimit } from '../../web/request-limit.ts'
import { bearerOf } from '../callers.ts'

const failuresPerMinute = 30

interface GuardDeps {
  readonly keys: SandboxKeys
  /** Opens the controls where keys are set; without it nobody may use them then. */
  readonly adminToken: string | undefined
  readonly clock: Clock
}

/**
 * Lets through who may use the controls: without keys this machine itself, with keys whoever sends the admin token, and
 * no page but those of the sandbox. An address that sends too many wrong tokens within a minute is told 429 in place of 401.
 */
export function guardControls({ keys, adminToken, clock }: GuardDeps): RequestHandler {
  const failures = new RequestLimit(failuresPerMinute, clock)
  const right = adminToken === undefined ? undefined : hashOfKey(adminToken)
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store')
    if (!isFromOwnPage(request)) {
      throw new AppError('forbidden', 'No page of another site may use the controls.')
    }
    if (keys.size === 0) return isFromHere(request) ? next() : next(onlyHere())
    const given = bearerOf(request.headers.authorization)
    // Hashes are compared: how far they agree says nothing of the token.
    if (given !== undefined && hashOfKey(given) === right) return next()
    failures.take(addressKey(request))
    throw new AppError('unauthorized', 'The controls need ADMIN_TOKEN as a bearer token.')
  }
}

/** `forbidden`, for whoever is elsewhere. */
export function onlyHere(): AppError {
  return new AppError(
    'forbidden',
    'Without keys the controls answer this machine alone: set WORKFORCE_SANDBOX_KEYS and ADMIN_TOKEN.',
  )
}

/** W3C Fetch Metadata where a browser sends it; `Origin` elsewhere. A request with neither comes from no page. */
function isFromOwnPage({ headers }: Request): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || URL.parse(origin)?.host === host
}
