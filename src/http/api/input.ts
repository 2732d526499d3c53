import { isUtf8 } from 'node:buffer'
import { MIMEType } from 'node:util'

import type { Request } from 'express'

import { AppError } from '../../domain/errors.ts'
import {
  type DecodedTable,
  decodeTable,
  decodeText,
  containersMax,
  tableRowsMax,
} from '../../feeds/bulk/tables.ts'
import { bareSchema, endSchema, parseQuery } from '../../feeds/feed-input.ts'
import { outlineOf, TooMuch } from '../../json/outline.ts'
import { createRests, inSteps } from '../../json/rest.ts'
import { brackets, NotJson } from '../../json/scan.ts'
import { isSpace } from '../../json/tokens.ts'
import { elementsOf } from '../../json/values.ts'
import { refuseDeep, tooDeep, singleBytesMax } from '../../web/request-body.ts'

const depthMax = 32
const jsonTypes = ['application/json', 'application/merge-patch+json']

/** The JSON object that the request carries, read by `readBody`; `unsupported_media_type` for anything else. */
export function jsonBody(request: Request): unknown {
  requireJson(request)
  return parseOne(request.body)
}

/** The elements of a list, which is refused before anything is made of it where it is too long or too deep. */
export async function parseList(bytes: Uint8Array): Promise<readonly unknown[]> {
  requireUtf8(bytes)
  const rests = createRests()
  const limits = { elementsMax: tableRowsMax, containersMax }
  const outline = await inSteps(outlineOf(bytes, limits), rests).catch(asRefusal)
  if (!outline || outline.part.depth > depthMax) throw tooDeep(depthMax)
  const large = outline.elements.findIndex(({ start, end }) => end - start > singleBytesMax)
  if (large >= 0) throw tooLarge(`The feed at ${large} of the list`)
  const elements: unknown[] = []
  for (const some of elementsOf(bytes, outline)) {
    elements.push(...some)
    if (rests.isDue()) await rests.take()
  }
  return elements
}

/** `unsupported_media_type` for a body that does not say that it is JSON. */
export function requireJson(request: Request): void {
  if (request.is(jsonTypes) && /^utf-8$/i.test(charsetOf(request) ?? 'utf-8')) return
  throw new AppError(
    'unsupported_media_type',
    'The body must be JSON in UTF-8 (Content-Type: application/json).',
  )
}

/** The object that a body is; an empty one where it is empty. */
export function parseOne(bytes: Uint8Array): unknown {
  if (bytes.length > singleBytesMax) throw tooLarge('The body')
  requireUtf8(bytes)
  const text = new TextDecoder().decode(bytes)
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

/** JSON is exchanged in UTF-8 (RFC 8259 section 8.1). */
function requireUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new AppError('invalid', 'The body is not UTF-8.')
}

/** Whether a body, behind its byte order mark if it has one, begins a list. */
export function isList(bytes: Uint8Array): boolean {
  return bytes.find((byte) => byte < 0x80 && !isSpace(byte)) === brackets.list[0]
}

function asRefusal(error: unknown): never {
  if (error instanceof NotJson) throw notJson(error)
  if (!(error instanceof TooMuch)) throw error
  const most =
    error.of === 'elements' ? `${tableRowsMax} feeds` : `${containersMax} objects and lists`
  const message = `The list is too long: at most ${most} in one request; send it in parts.`
  throw new AppError('invalid', message, { cause: error })
}

function notJson(cause?: unknown): AppError {
  const message = 'The body is not valid JSON, or neither an object nor a list.'
  return new AppError('invalid', message, { cause })
}

function tooLarge(what: string): AppError {
  const message = `${what} is too large for one feed: at most ${singleBytesMax} bytes.`
  return new AppError('too_large', message)
}

/** The text of a table in the encoding that is named, else as spreadsheets write it; `invalid` where it is not of it. */
export function tableIn(bytes: Uint8Array, request: Request): DecodedTable {
  const charset = charsetOf(request)
  if (charset === null) return decodeTable(bytes, 'The table')
  if (!isEncoding(charset)) {
    throw new AppError(
      'unsupported_media_type',
      'The table is in an encoding that is not read here.',
    )
  }
  return { text: decodeText(bytes, 'The table', charset), warnings: [] }
}

/** What the type of the body says of it; null for nothing. */
function charsetOf({ headers }: Request): string | null {
  return new MIMEType(headers['content-type'] ?? '').params.get('charset')
}

function isEncoding(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== ''
  } catch {
    return false
  }
}

/** The same where nothing need be said: an empty object for a request without a body. */
export function optionalJsonBody(request: Request): unknown {
  const isEmpty = (request.headers['content-length'] ?? '0') === '0'
  return isEmpty && request.headers['transfer-encoding'] === undefined ? {} : jsonBody(request)
}

/** The feed that the address names; `not_found` for an impossible id. */
export function feedIdOf({ params }: Request): string {
  const id = String(params['id'])
  if (/^[\w-]{1,256}$/.test(id)) return id
  throw new AppError('not_found', 'There is no such feed.')
}

/** The link that the address names; `not_found` for an impossible label. */
export function labelOf({ params }: Request): string {
  return visibleName(String(params['label']), 'link')
}

/** The token that the address names; `not_found` for an impossible name. */
export function tokenNameOf({ params }: Request): string {
  return visibleName(String(params['name']), 'token')
}

function visibleName(given: string, what: 'link' | 'token'): string {
  if (!/\p{Cc}/u.test(given)) return given
  throw new AppError('not_found', `There is no such ${what}.`)
}

/** Whether the query says `?purge`; `invalid` if it says anything else, before anything has ended. */
export function isPurge({ query }: Request): boolean {
  return parseQuery(endSchema, query).purge ?? false
}

/** Refuses parameters: `invalid`. */
export function refuseQuery({ query }: Request): void {
  parseQuery(bareSchema, query)
}
