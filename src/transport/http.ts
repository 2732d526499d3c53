import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'

import { EnvHttpProxyAgent, request } from 'undici'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import { AppError, type ErrorCode } from '../domain/errors.ts'

/** What we can read (RFC 9110 section 12.5.3). */
export const acceptEncoding = 'gzip, br, deflate'

const connectTimeoutMs = 10_000
const errorBodyBytesMax = 65_536
const codingsMax = 2

type Decode = (body: Buffer, options: ZlibOptions) => Promise<Buffer>

const decodeGzip = promisify<Buffer, ZlibOptions, Buffer>(gunzip)
const decodeZlib = promisify<Buffer, ZlibOptions, Buffer>(inflate)
const decodeBareDeflate = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw)

const decoderOf: ReadonlyMap<string, Decode> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  ['br', promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
  ['deflate', decodeDeflate],
])

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; a field that came several times is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it came over the wire; empty for any status but 200. */
  readonly body: Buffer
}

export interface Http {
  /** One GET over a kept connection, no redirect followed; fails with undici's errors or the signal's reason. */
  get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer>
  /** Ends the connections and cuts off what is under way. */
  close(): Promise<void>
}

/** The only way out of the program: one pool of at most `concurrency` connections per origin. */
export function createHttp(settings: ConnectionSettings, proxy: ProxySettings = {}): Http {
  const dispatcher = new EnvHttpProxyAgent({
    ...proxyOptions(proxy),
    connections: settings.concurrency,
    allowH2: false,
    connectTimeout: Math.min(settings.timeoutMs, connectTimeoutMs),
    headersTimeout: settings.timeoutMs,
    bodyTimeout: settings.timeoutMs,
    maxResponseSize: settings.bodyBytesMax,
  })

  async function get(
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const answer = await request(url, { dispatcher, headers, signal })
    const { statusCode: status, body } = answer
    if (status === 200) return { status, headers: answer.headers, body: await readAll(body) }
    await body.dump({ limit: errorBodyBytesMax, signal })
    return { status, headers: answer.headers, body: Buffer.alloc(0) }
  }

  return { get, close: () => dispatcher.destroy() }
}

/** Each is given: where one is left out, undici reads the environment itself. */
function proxyOptions({
  httpProxy = '',
  httpsProxy = '',
  noProxy = '',
}: ProxySettings): Readonly<Record<keyof ProxySettings, string>> {
  return { httpProxy, httpsProxy, noProxy }
}

/** In memory of its own, which is not made twice: a body may be large. */
async function readAll(body: { bytes(): Promise<Uint8Array> }): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await body.bytes()
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A header field, empty where there is none; one that came several times is one list (RFC 9110 section 5.3). */
export function fieldOf({ headers }: HttpAnswer, name: string): string {
  return [headers[name] ?? []].flat().join(', ')
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where the answer redirects to (RFC 9110 section 15.4); undefined where it does not, or to no readable address. */
export function redirectTarget({ status, headers }: HttpAnswer, url: URL): URL | undefined {
  const { location } = headers
  if (!redirectStatuses.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, url.href) ?? undefined
}

/** The error of one request, `says` completing "GET /path …"; the query is left out, since a credential may stand in it. */
export function requestFault(
  code: Extract<ErrorCode, `upstream_${string}`>,
  url: URL,
  says: string,
  options: { readonly status?: number; readonly retryAfterMs?: number } = {},
): AppError {
  const end = says.endsWith('?') ? '' : '.'
  return new AppError(code, `GET ${url.pathname} ${says}${end}`, options)
}

interface BodyLimits {
  readonly url: URL
  readonly bytesMax: number
}

/** The body without its codings (RFC 9110 section 8.4); `upstream_invalid` for one that cannot be undone, or beyond `bytesMax`. */
export async function decodeBody(answer: HttpAnswer, limits: BodyLimits): Promise<Buffer> {
  const body = await decodeSmallBody(answer, limits)
  if (body) return body
  const says = `answered more than ${limits.bytesMax} bytes, once decompressed`
  throw requestFault('upstream_invalid', limits.url, says)
}

/** The same, but undefined for one beyond `bytesMax`. */
export async function decodeSmallBody(
  answer: HttpAnswer,
  { url, bytesMax }: BodyLimits,
): Promise<Buffer | undefined> {
  const decoders = codingsOf(answer).map((coding) => decoderOf.get(coding))
  if (decoders.length > codingsMax || decoders.includes(undefined)) {
    const says = 'answered in a content coding that it was not asked for'
    throw requestFault('upstream_invalid', url, says)
  }
  try {
    return await decoders.reduce<Promise<Buffer>>(
      async (body, decode) => (decode ? decode(await body, { maxOutputLength: bytesMax }) : body),
      Promise.resolve(answer.body),
    )
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw requestFault('upstream_invalid', url, 'answered a body that cannot be decompressed')
  }
}

/** Last applied first. */
function codingsOf(answer: HttpAnswer): readonly string[] {
  return fieldOf(answer, 'content-encoding')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .toReversed()
}

// "deflate" is the zlib format, but some servers send the bare one (RFC 9110 section 8.4.1.2).
function decodeDeflate(body: Buffer, options: ZlibOptions): Promise<Buffer> {
  const isZlib = ((body[0] ?? 0) & 0x0f) === 8
  return isZlib ? decodeZlib(body, options) : decodeBareDeflate(body, options)
}

interface Link {
  readonly target: string
  /** Names in lower case; of a repeated one the first counts (RFC 8288 section 3). */
  readonly parameters: ReadonlyMap<string, string>
}

const linkPattern = /<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/g
const parameterPattern = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/g

/** The target of the first link of that relation in a `Link` field (RFC 8288 section 3); undefined where there is none. */
export function findLink(field: string, relation: string): string | undefined {
  return parseLinks(field).find((link) => hasRelation(link, relation))?.target
}

function parseLinks(field: string): readonly Link[] {
  return Array.from(field.matchAll(linkPattern), ([, target = '', parameters = '']) => ({
    target: target.trim(),
    parameters: parseParameters(parameters),
  }))
}

function parseParameters(text: string): ReadonlyMap<string, string> {
  const pairs = Array.from(
    text.matchAll(parameterPattern),
    ([, name = '', quoted, token = '']): [string, string] => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? token,
    ],
  )
  return new Map(pairs.toReversed())
}

// A link with an anchor speaks of another resource (RFC 8288 section 3.2).
function hasRelation({ parameters }: Link, relation: string): boolean {
  const relations = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
  return relations.includes(relation) && !parameters.has('anchor')
}

const plainTimeoutMs = 5000
const plainBytesMax = 1024 * 1024
/** Answers that have no body (Fetch standard, "null body status"). */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** What is asked; the body of a form, where there is one. */
export interface PlainRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export type PlainFetch = (url: string, asked: PlainRequest) => Promise<Response>

/**
 * Asks others than Read APIs, each time over a connection of its own: through the proxies, no redirect followed, the answer
 * within bounds. Fails with `upstream_unavailable`, `upstream_invalid` or the signal's reason.
 */
export function createPlainFetch(proxy: ProxySettings): PlainFetch {
  const dispatcher = new EnvHttpProxyAgent({
    ...proxyOptions(proxy),
    pipelining: 0,
    allowH2: false,
    connectTimeout: plainTimeoutMs,
    headersTimeout: plainTimeoutMs,
    bodyTimeout: plainTimeoutMs,
    maxResponseSize: plainBytesMax,
  })
  return async (url, { method, headers, body, signal }) => {
    try {
      const answer = await request(url, {
        dispatcher,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers },
        body: body instanceof URLSearchParams ? body.toString() : null,
        signal: signal ?? AbortSignal.timeout(plainTimeoutMs),
      })
      const bytes = await answer.body.bytes()
      const { statusCode: status } = answer
      return new Response(withoutBody.has(status) ? null : Uint8Array.from(bytes), {
        status,
        headers: fieldsOf(answer.headers),
      })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw faultOf(error)
    }
  }
}

function fieldsOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const fields = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) fields.append(name, one)
  }
  return fields
}

function faultOf(cause: unknown): AppError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const isNoAnswer = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code.startsWith('HPE_')
  return isNoAnswer || cause instanceof RangeError
    ? new AppError('upstream_invalid', 'The answer cannot be read, or is too large.', { cause })
    : new AppError('upstream_unavailable', 'Nobody answers there.', { cause })
}
