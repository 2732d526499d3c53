import express, { type Request, type Response } from 'express'

import { memo } from '../domain/memo.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'

/** Validators of a representation (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string
  /** On a whole second; absent if only the entity tag can tell. */
  readonly lastModified?: Instant | undefined
  /** Sent instead of a date in the future: see `dated`. */
  readonly sentModified?: Instant | undefined
}

/**
 * Returns the validators to send at that time: no Last-Modified in the future (RFC 9110 section 8.8.2.1), as left by a
 * clock that ran ahead. A client that sends that date back gets the whole representation until the stored date has passed.
 * A lead within `clockSkewMs` stays, since quick changes move the date on by a second or so.
 */
export function dated<T extends Validators>(validators: T, now: Instant): T {
  const { lastModified } = validators
  if (lastModified === undefined || lastModified <= now + clockSkewMs) return validators
  return { ...validators, sentModified: Math.floor(now / 1000) * 1000 }
}

/**
 * Whether the client already has this representation (RFC 9110 section 13.2.2). If present, If-None-Match decides by weak
 * comparison, also under `Cache-Control: no-cache`, which requests revalidation and not bytes. Otherwise If-Modified-Since
 * decides if it is an HTTP-date.
 */
export function isNotModified(headers: Request['headers'], validators: Validators): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return matchesWeakly(noneMatch, validators.etag)
  const since = parseHttpDate(headers['if-modified-since'])
  const { lastModified } = validators
  return since !== undefined && lastModified !== undefined && lastModified <= since
}

/** Weak comparison of a list with one entity tag (RFC 9110 section 8.8.3.2). */
function matchesWeakly(list: string, etag: string): boolean {
  if (list === etag || list.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...list.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque)
}

const imfFixdate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const rfc850Date = /^\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const asctimeDate = /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** Parses the three forms of RFC 9110 section 5.6.7; undefined for anything else. */
function parseHttpDate(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const asctime = asctimeDate.test(value)
  if (!asctime && !imfFixdate.test(value) && !rfc850Date.test(value)) return undefined
  const instant = Date.parse(asctime ? `${value} GMT` : value)
  return Number.isNaN(instant) ? undefined : instant
}

/** Content codings in which a body can be sent (RFC 9110 section 8.4.1). */
export type ContentCoding = 'gzip' | 'br' | 'zstd' | 'identity'

/** More than there are kinds of clients. */
const acceptsMax = 1000
const acceptLengthMax = 200

type CodingFor = (accept?: string) => ContentCoding

/** Returns the coding to send to a client, from its `Accept-Encoding` (RFC 9110 section 12.5.3). */
export const codingFor = codingAmong(['gzip', 'br', 'zstd', 'identity'])

/** The same for content compressed once: prefers Brotli, which browsers list last but accept equally. */
export const lastingCodingFor = codingAmong(['br', 'gzip', 'zstd', 'identity'], true)

/** The same for content compressed while it is sent. */
export const streamedCodingFor = codingAmong(['gzip', 'identity'])

/**
 * Of equally acceptable codings, takes the first in the client's list, or in ours with `isOurChoice`. Results are cached:
 * parsing the header costs more than sending the bytes.
 */
function codingAmong(offered: readonly ContentCoding[], isOurChoice = false): CodingFor {
  const negotiated = (accept: string): ContentCoding => {
    const headers = { value: accept === '' ? {} : { 'accept-encoding': accept } }
    const request: typeof express.request = Object.create(express.request, { headers })
    const accepted = isOurChoice ? null : request.acceptsEncodings(...offered)
    const isTaken = (it: ContentCoding): boolean =>
      it === (accepted ?? request.acceptsEncodings(it))
    return offered.find(isTaken) ?? 'identity'
  }
  const usual = memo(acceptsMax, negotiated)
  return (accept = '') => (accept.length > acceptLengthMax ? negotiated(accept) : usual(accept))
}

/** Bytes in each coding. Compressed ones are cached: compressing for each request would cost sixty times as much. */
export interface CodedBody {
  in(coding: ContentCoding): Promise<Uint8Array>
}

/** The current representation of an address (RFC 9110 section 3.2): its bytes and validators. */
export interface Representation {
  readonly validators: Validators
  readonly type: string
  readonly disposition?: string
  readonly body: CodedBody
}

/** Sends 200 with the bytes, or 304 to a client that has them. */
export async function sendRepresentation(
  { headers }: Pick<Request, 'headers'>,
  response: Response,
  { validators, ...content }: Representation,
  choose = codingFor,
): Promise<void> {
  if (isNotModified(headers, validators)) return sendNotModified(response, validators)
  setValidators(response, validators)
  await sendContent({ headers }, response, content, choose)
}

/** Sends 200 with the bytes in the client's coding. */
export async function sendContent(
  { headers }: Pick<Request, 'headers'>,
  response: Response,
  { type, disposition, body }: Omit<Representation, 'validators'>,
  choose: CodingFor,
): Promise<void> {
  response.setHeader('Content-Type', type)
  if (disposition !== undefined) response.setHeader('Content-Disposition', disposition)
  const coding = choose(headers['accept-encoding'])
  const bytes = await body.in(coding)
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.status(200).end(bytes)
}

/** Sends a 304 with the same validators as the 200 (RFC 9110 section 15.4.5). */
export function sendNotModified(response: Response, validators: Validators): void {
  setValidators(response, validators)
  response.status(304).end()
}

function setValidators(response: Response, validators: Validators): void {
  for (const [name, value] of headersOf(validators)) response.setHeader(name, value)
}

/** Returns the headers that hold the validators. */
export function headersOf({
  etag,
  lastModified,
  sentModified = lastModified,
}: Validators): [name: string, value: string][] {
  if (sentModified === undefined) return [['ETag', etag]]
  return [
    ['ETag', etag],
    ['Last-Modified', new Date(sentModified).toUTCString()],
  ]
}
