import type { Request } from 'express'

import { AppError } from '../domain/errors.ts'

/** The JSON that the request carries; `unsupported_media_type` for anything else. */
export function jsonBody(request: Pick<Request, 'body' | 'is'>): unknown {
  if (request.is(['application/json', 'application/merge-patch+json'])) return request.body
  throw new AppError(
    'unsupported_media_type',
    'The body must be JSON (Content-Type: application/json).',
  )
}

/** The same where nothing need be said: an empty object for a request without a body. */
export function optionalJsonBody(request: Pick<Request, 'body' | 'is' | 'headers'>): unknown {
  const isEmpty = (request.headers['content-length'] ?? '0') === '0'
  return isEmpty && request.headers['transfer-encoding'] === undefined ? {} : jsonBody(request)
}

/** The feed that the address names; `not_found` for what can be no id. */
export function feedIdOf({ params }: Request<{ id: string }>): string {
  if (/^[\w-]{1,256}$/.test(params.id)) return params.id
  throw new AppError('not_found', 'There is no such feed.')
}

/** The link that the address names; `not_found` for what can be no label. */
export function labelOf({ params }: Request<{ id: string; label: string }>): string {
  if (!/\p{Cc}/u.test(params.label)) return params.label
  throw new AppError('not_found', 'There is no such link.')
}

/** Whether the query says `?name` or `?name=true`. */
export function isSet({ query }: Pick<Request, 'query'>, name: string): boolean {
  return query[name] !== undefined && query[name] !== 'false'
}
