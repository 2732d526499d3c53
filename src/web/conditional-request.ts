import express, { type Request, type Response } from 'express'

import { memo } from '../domain/memo.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'

/** The validators of a representation (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string
  /** On a whole second; none where only the entity tag tells. */
  readonly lastModified?: Instant | undefined
  /** What is sent in its place, where it lies in the future: see `dated`. */
  readonly sentModified?: Instant | undefined
}

/**
 * The validators as they are sent at that time: no Last-Modified in the future (RFC 9110 section 8.8.2.1), as a clock that ran
 * ahead leaves it. A client that asks by that date gets the whole representation until the kept date has come. A second or so,
 * by which quick changes move it on, stays.
 */
export function dated<T extends Validators>(validators: T, now: Instant): T {
  const { lastModified } = validators
  if (lastModified === undefined || lastModified <= now + clockSkewMs) return validators
  return { ...validators, sentModified: Math.floor(now / 1000) * 1000 }
}

/**
 * Whether the client has this representation already (RFC 9110 section 13.2.2): If-None-Match decides by weak
 * comparison where it is there, also under `Cache-Control: no-cache`, which asks for revalidation and not for
 * bytes; otherwise If-Modified-Since, where it is an HTTP-date.
 */
export function isNotModified(headers: Request['headers'], validators: Validators): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return matchesWeakly(noneMatch, validators.etag)
  const since = parseHttpDate(headers['if-modified-since'])
  const { lastModified } = validators
  return since !== undefined && lastModified !== undefined && lastModified <= since
}

/** RFC 9110 section 8.8.3.2, weak comparison of a list with one entity tag. */
function matchesWeakly(list: string, etag: string): boolean {
  if (list === etag || list.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...list.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque)
}

const imfFixdate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const rfc850Date = /^\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const asctimeDate = /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** The three forms of RFC 9110 section 5.6.7; undefined for anything else. */
function parseHttpDate(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const asctime = asctimeDate.test(value)
  if (!asctime && !imfFixdate.test(value) && !rfc850Date.test(value)) return undefined
  const instant = Date.parse(asctime ? `${value} GMT` : value)
  return Number.isNaN(instant) ? undefined : instant
}

/** RFC 9110 section 8.4.1 content codings that a body is served in. */
export type ContentCoding = 'gzip' | 'br' | 'zstd' | 'identity'

/** More than there are kinds of clients. */
const acceptsMax = 1000
const acceptLengthMax = 200

type CodingFor = (accept?: string) => ContentCoding

/** The coding that a client is sent, by its `Accept-Encoding` (RFC 9110 section 12.5.3). */
export const codingFor = codingAmong(['gzip', 'br', 'zstd', 'identity'])

/** The same for what is compressed once: Brotli if possible, which browsers name last but take alike. */
export const lastingCodingFor = codingAmong(['br', 'gzip', 'zstd', 'identity'], true)

/** The same for what is compressed while it is sent. */
export const streamedCodingFor = codingAmong(['gzip', 'identity'])

/** Of equally welcome codings that is taken which the client, or with `isOurChoice` we, name first. Answers are kept: reading the header costs more than sending the bytes. */
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

/** Bytes in each coding; compressed ones are kept, since to compress for each request would cost sixty times as much. */
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

/** Answers 200 with the bytes, or 304 to a client that has them. */
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

/** Answers 200 with the bytes in the coding that the client is sent. */
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

/** A 304 has the headers that the 200 would have (RFC 9110 section 15.4.5). */
export function sendNotModified(response: Response, validators: Validators): void {
  setValidators(response, validators)
  response.status(304).end()
}

function setValidators(response: Response, validators: Validators): void {
  for (const [name, value] of headersOf(validators)) response.setHeader(name, value)
}

/** The validators that a client sends back in conditional requests. */
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
