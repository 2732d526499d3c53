import { promisify } from 'node:util'
import { brotliDecompress, unzip, type ZlibOptions } from 'node:zlib'

import { EnvHttpProxyAgent, request } from 'undici'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import { AppError, codeOf, type ErrorCode } from '../domain/errors.ts'
import type { TypedHost } from './typed-host.ts'

/** Content codings we can decode (RFC 9110 section 12.5.3). */
export const acceptEncoding = 'gzip, br, deflate'

const connectTimeoutMs = 10_000
const errorBodyBytesMax = 65_536

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; a repeated field is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As received, still encoded; empty for any status but 200. */
  readonly body: Buffer
}

export interface GetOptions {
  readonly signal: AbortSignal
  /**
   * Whether to retry once, at once, if the connection was lost before a response began. A reused connection may have ended
   * unnoticed.
   */
  readonly mayAskAgain?: () => boolean
}

export interface Http {
  /**
   * Sends one GET over a persistent connection without following redirects; fails with undici's errors or the signal's
   * reason.
   */
  get(url: URL, headers: Record<string, string>, options: GetOptions): Promise<HttpAnswer>
  /** Closes the connections and cuts off requests under way. */
  close(): Promise<void>
}

/** Through which proxies Read APIs are asked, and whether only one host may be. */
export interface Way extends ProxySettings {
  /** A proxy, if there is one, looks up names itself. */
  readonly only?: TypedHost | undefined
}

/** Creates the HTTP client for Read APIs: one pool of at most `concurrency` connections per origin. */
export function createHttp(settings: ConnectionSettings, way: Way = {}): Http {
  const { only, ...proxy } = way
  const dispatcher = new EnvHttpProxyAgent({
    ...proxyOptions(proxy),
    ...(only && { connect: { lookup: only.lookup } }),
    connections: settings.concurrency,
    allowH2: false,
    connectTimeout: Math.min(settings.timeoutMs, connectTimeoutMs),
    headersTimeout: settings.timeoutMs,
    bodyTimeout: settings.timeoutMs,
    maxResponseSize: settings.bodyBytesMax,
  })

  async function get(
    url: URL,
    sent: Record<string, string>,
    { signal, mayAskAgain = () => false }: GetOptions,
  ): Promise<HttpAnswer> {
    only?.check(url)
    const send = (): ReturnType<typeof request> =>
      request(url, { dispatcher, headers: sent, signal })
    const answer = await send().catch((error: unknown) => {
      if (!lostConnection.has(codeOf(error)) || !mayAskAgain()) throw error
      return send()
    })
    const { statusCode: status, headers, body } = answer
    if (status !== 200) {
      await body.dump({ limit: errorBodyBytesMax, signal })
      return { status, headers, body: Buffer.alloc(0) }
    }
    // Shares the memory instead of copying it: a body may be large.
    const { buffer, byteOffset, byteLength } = await body.bytes()
    return { status, headers, body: Buffer.from(buffer, byteOffset, byteLength) }
  }

  return { get, close: () => dispatcher.destroy() }
}

const lostConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Sets every value: undici reads the environment for those left out. */
function proxyOptions({
  httpProxy = '',
  httpsProxy = '',
  noProxy = '',
}: ProxySettings): Readonly<Record<keyof ProxySettings, string>> {
  return { httpProxy, httpsProxy, noProxy }
}

/** Returns a header field, empty if absent; repeated fields become one list (RFC 9110 section 5.3). */
export function fieldOf({ headers }: HttpAnswer, name: string): string {
  return [headers[name] ?? []].flat().join(', ')
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Returns the redirect target of a response (RFC 9110 section 15.4); undefined if there is none or it is unreadable. */
export function redirectTarget({ status, headers }: HttpAnswer, url: URL): URL | undefined {
  const { location } = headers
  if (!redirectStatuses.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, url.href) ?? undefined
}

/** Returns the error of one request; `says` completes "GET /path …". The query is left out, since it may hold a credential. */
export function requestFault(
  code: Extract<ErrorCode, `upstream_${string}`>,
  url: URL,
  says: string,
  options: { readonly status?: number; readonly retryAfterMs?: number } = {},
): AppError {
  const end = says.endsWith('?') ? '' : '.'
  return new AppError(code, `GET ${url.pathname} ${says}${end}`, options)
}

type Decode = (body: Buffer, options: ZlibOptions) => Promise<Buffer>

const decodeZip = promisify<Buffer, ZlibOptions, Buffer>(unzip)
const decoders: Readonly<Record<string, Decode>> = {
  '': async (body) => body,
  identity: async (body) => body,
  gzip: decodeZip,
  'x-gzip': decodeZip,
  deflate: decodeZip,
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
}

interface BodyLimits {
  readonly url: URL
  readonly bytesMax: number
}

/**
 * Returns the body without its content coding (RFC 9110 section 8.4). Fails with `upstream_invalid` if it cannot be decoded
 * or exceeds `bytesMax`.
 */
export async function decodeBody(answer: HttpAnswer, limits: BodyLimits): Promise<Buffer> {
  const body = await decodeSmallBody(answer, limits)
  if (body) return body
  const says = `answered more than ${limits.bytesMax} bytes, once decompressed`
  throw requestFault('upstream_invalid', limits.url, says)
}

/** Like `decodeBody`, but returns undefined for a body beyond `bytesMax`. */
export async function decodeSmallBody(
  answer: HttpAnswer,
  { url, bytesMax }: BodyLimits,
): Promise<Buffer | undefined> {
  const coding = fieldOf(answer, 'content-encoding').trim().toLowerCase()
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (!decode) {
    const says = 'answered in a content coding that it was not asked for'
    throw requestFault('upstream_invalid', url, says)
  }
  try {
    return await decode(answer.body, { maxOutputLength: bytesMax })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw requestFault('upstream_invalid', url, 'answered a body that cannot be decompressed')
  }
}

const linkPattern = /<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/g
const parameterPattern = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/g

/** Returns the target of the first link to a next page in a `Link` field (RFC 8288 section 3); undefined if there is none. */
export function nextLink(field: string): string | undefined {
  for (const [, target = '', text = ''] of field.matchAll(linkPattern)) {
    const parameters = Array.from(
      text.matchAll(parameterPattern),
      ([, name = '', quoted, token = '']) =>
        [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token] as const,
    )
    // The first of a repeated parameter counts. A link with an anchor is about another resource.
    const relation = parameters.find(([name]) => name === 'rel')?.[1] ?? ''
    const isOfOther = parameters.some(([name]) => name === 'anchor')
    if (relation.toLowerCase().split(/\s+/).includes('next') && !isOfOther) return target.trim()
  }
  return undefined
}

const plainTimeoutMs = 5000
const plainBytesMax = 1024 * 1024
/** Statuses without a body (Fetch standard, "null body status"). */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** A request without a body, or with a form as `URLSearchParams`. */
interface PlainRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export type PlainFetch = (url: string, asked: PlainRequest) => Promise<Response>

/**
 * Creates a client for servers other than Read APIs. Each request has its own connection, through the proxies, with bounded
 * responses and without redirects. Requests fail with `upstream_unavailable`, `upstream_invalid` or the signal's reason.
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
      const bytes = Uint8Array.from(await answer.body.bytes())
      const { statusCode: status } = answer
      const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      )
      return new Response(withoutBody.has(status) ? null : bytes, { status, headers: fields })
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      const code = codeOf(cause)
      const isNoAnswer = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code.startsWith('HPE_')
      throw isNoAnswer || cause instanceof RangeError
        ? new AppError('upstream_invalid', 'The answer cannot be read, or is too large.', { cause })
        : new AppError('upstream_unavailable', 'There is no answer from that address.', { cause })
    }
  }
}
