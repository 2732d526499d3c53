import { MIMEType } from 'node:util'

import type { Request } from 'express'

import { AppError } from '../../domain/errors.ts'
import { bareSchema, endSchema, parseQuery } from '../../feeds/feed-input.ts'
import { type DecodedTable, decodeTable, decodeText } from '../../feeds/import/decode-text.ts'
import { refuseDeep } from '../../web/nesting.ts'

const depthMax = 32

/** The JSON that the request carries; `unsupported_media_type` for anything else. */
export function jsonBody(request: Pick<Request, 'body' | 'is'>): unknown {
  if (request.is(['application/json', 'application/merge-patch+json'])) {
    return refuseDeep(request.body, depthMax)
  }
  throw new AppError(
    'unsupported_media_type',
    'The body must be JSON (Content-Type: application/json).',
  )
}

/** The text of a table in the encoding that is named, else as spreadsheets write it; `invalid` where it is not of it. */
export function tableBody({ body, headers }: Pick<Request, 'body' | 'headers'>): DecodedTable {
  const { params } = new MIMEType(headers['content-type'] ?? 'text/csv')
  const charset = params.get('charset')
  const bytes = Buffer.isBuffer(body) ? body : new Uint8Array()
  if (charset === null) return decodeTable(bytes, 'The table')
  if (!isEncoding(charset)) {
    throw new AppError(
      'unsupported_media_type',
      'The table is in an encoding that is not read here.',
    )
  }
  return { text: decodeText(bytes, 'The table', charset), warnings: [] }
}

function isEncoding(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== ''
  } catch {
    return false
  }
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
  return nameOf(params.label, 'link')
}

/** The token that the address names; `not_found` for what can be no name. */
export function tokenNameOf({ params }: Request<{ name: string }>): string {
  return nameOf(params.name, 'token')
}

function nameOf(given: string, what: 'link' | 'token'): string {
  if (!/\p{Cc}/u.test(given)) return given
  throw new AppError('not_found', `There is no such ${what}.`)
}

/** Whether the query of an end says `?purge`; `invalid` where it says anything else, before anything has ended. */
export function isPurge({ query }: Pick<Request, 'query'>): boolean {
  return parseQuery(endSchema, query).purge ?? false
}

/** Refuses parameters where there are none: `invalid`. */
export function refuseQuery({ query }: Pick<Request, 'query'>): void {
  parseQuery(bareSchema, query)
}
