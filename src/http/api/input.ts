import { isUtf8 } from 'node:buffer'
import { MIMEType } from 'node:util'

import type { Request } from 'express'

import { AppError } from '../../domain/errors.ts'
import { decodeTable, containersMax, tableRowsMax } from '../../feeds/bulk/read-table.ts'
import { endSchema, parseQuery } from '../../feeds/feed-input.ts'
import { isObject } from '../../json/read-json.ts'
import { refuseDeep, singleBytesMax } from '../../web/request-body.ts'

const depthMax = 32
const jsonTypes = ['application/json', 'application/merge-patch+json']

/** Returns the JSON object of a body read by `readBody`; fails with `unsupported_media_type` for other content. */
export function jsonBody(request: Request): unknown {
  requireJson(request)
  return parseOne(request.body)
}

/** Returns the elements of a JSON list; fails if it is too long or too deep. */
export function parseList(bytes: Uint8Array): readonly unknown[] {
  const list = parseJson(textOf(bytes))
  if (!Array.isArray(list)) throw notJson()
  if (list.length > tableRowsMax) throw tooLong(`${tableRowsMax} feeds`)
  if (countContainers(list) > containersMax) throw tooLong(`${containersMax} objects and lists`)
  refuseDeep(list, depthMax)
  const sizes = list.map((element) => Buffer.byteLength(JSON.stringify(element)))
  const large = sizes.findIndex((size) => size > singleBytesMax)
  if (large >= 0) throw tooLarge(`The feed at ${large} of the list`)
  return list
}

/** Returns a JSON object with a member `ids` that may be as large as a list. */
export function parseWithIds(bytes: Uint8Array): unknown {
  const body = parseJson(textOf(bytes))
  if (!isObject(body)) throw notJson()
  const rest = JSON.stringify({ ...body, ids: [] })
  if (Buffer.byteLength(rest) > singleBytesMax) throw tooLarge('The change')
  if (countContainers(body) > containersMax) throw tooLong(`${containersMax} objects and lists`)
  return refuseDeep(body, depthMax)
}

function countContainers(value: unknown): number {
  let count = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    count += 1
    for (const member of Object.values(next)) waiting.push(member)
  }
  return count
}

/** Fails with `unsupported_media_type` unless the Content-Type is JSON in UTF-8. */
export function requireJson(request: Request): void {
  if (request.is(jsonTypes) && /^utf-8$/i.test(charsetOf(request) ?? 'utf-8')) return
  throw new AppError(
    'unsupported_media_type',
    'The body must be JSON in UTF-8 (Content-Type: application/json).',
  )
}

/** Returns the JSON object of a body; an empty body gives an empty object. */
export function parseOne(bytes: Uint8Array): unknown {
  if (bytes.length > singleBytesMax) throw tooLarge('The body')
  const text = textOf(bytes)
  return refuseDeep(text === '' ? {} : parseJson(text), depthMax)
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (cause) {
    throw notJson(cause)
  }
  throw notJson()
}

/** JSON must be UTF-8 (RFC 8259 section 8.1). */
function textOf(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw new AppError('invalid', 'The body is not UTF-8.')
}

/** Whether the body is a JSON list; a byte order mark is allowed. */
export function isList(bytes: Uint8Array): boolean {
  return /^\s*\[/.test(new TextDecoder().decode(bytes.subarray(0, 1024)))
}

function tooLong(most: string): AppError {
  return new AppError(
    'invalid',
    `The list is too long: at most ${most} in one request; send it in parts.`,
  )
}

function notJson(cause?: unknown): AppError {
  const message = 'The body is not valid JSON, or neither an object nor a list.'
  return new AppError('invalid', message, { cause })
}

function tooLarge(what: string): AppError {
  const message = `${what} is too large for one feed: at most ${singleBytesMax} bytes.`
  return new AppError('too_large', message)
}

/** Returns the text of a table; fails with `unsupported_media_type` for a declared encoding other than UTF-8. */
export function tableIn(bytes: Uint8Array, request: Request): string {
  if (/^utf-8$/i.test(charsetOf(request) ?? 'utf-8')) return decodeTable(bytes, 'The table')
  const message = 'Unsupported encoding; save the table as UTF-8.'
  throw new AppError('unsupported_media_type', message)
}

function charsetOf({ headers }: Request): string | null {
  return new MIMEType(headers['content-type'] ?? '').params.get('charset')
}

/** Like `jsonBody`, but returns an empty object for a request without a body. */
export function optionalJsonBody(request: Request): unknown {
  const isEmpty = (request.headers['content-length'] ?? '0') === '0'
  return isEmpty && request.headers['transfer-encoding'] === undefined ? {} : jsonBody(request)
}

/** Returns the feed id in the path; fails with `not_found` if no id can look like this. */
export function feedIdOf({ params }: Request): string {
  const id = String(params['id'])
  if (/^[\w-]{1,256}$/.test(id)) return id
  throw new AppError('not_found', 'There is no such feed.')
}

export function companyIdOf({ params }: Request): string {
  return String(params['id'])
}

/** Returns the link's label in the path; fails with `not_found` if no label can look like this. */
export function labelOf({ params }: Request): string {
  return visibleName(String(params['label']), 'link')
}

/** Returns the token's name in the path; fails with `not_found` if no name can look like this. */
export function tokenNameOf({ params }: Request): string {
  return visibleName(String(params['name']), 'token')
}

/** Returns the id of the person in the path; fails with `not_found` if no id can look like this. */
export function userIdOf({ params }: Request): string {
  return visibleName(String(params['userId']), 'person')
}

function visibleName(given: string, what: 'link' | 'token' | 'person'): string {
  if (!/\p{Cc}/u.test(given)) return given
  throw new AppError('not_found', `There is no such ${what}.`)
}

/** Whether the query has `?purge`; fails with `invalid` for other parameters, before anything is ended. */
export function isPurge({ query }: Request): boolean {
  return parseQuery(endSchema, query).purge ?? false
}
