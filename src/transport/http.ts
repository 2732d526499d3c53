import { promisify } from 'node:util'
import { brotliDecompress, unzip, type ZlibOptions } from 'node:zlib'

import { EnvHttpProxyAgent, request } from 'undici'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import { AppError, type ErrorCode } from '../domain/errors.ts'

/** What we can read (RFC 9110 section 12.5.3). */
export const acceptEncoding = 'gzip, br, deflate'

const connectTimeoutMs = 10_000
const errorBodyBytesMax = 65_536

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case; a field that came several times is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it came over the wire; empty for any status but 200. */
  readonly body: Buffer
}

export interface GetOptions {
  readonly signal: AbortSignal
  /** Whether to ask once more, at once, where the connection was lost before an answer began: a kept one may have ended unnoticed. */
  readonly mayAskAgain?: () => boolean
}

export interface Http {
  /** One GET over a kept connection, no redirect followed; fails with undici's errors or the signal's reason. */
  get(url: URL, headers: Record<string, string>, options: GetOptions): Promise<HttpAnswer>
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
    sent: Record<string, string>,
    { signal, mayAskAgain = () => false }: GetOptions,
  ): Promise<HttpAnswer> {
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
    // A buffer over the same memory: a body may be large.
    const { buffer, byteOffset, byteLength } = await body.bytes()
    return { status, headers, body: Buffer.from(buffer, byteOffset, byteLength) }
  }

  return { get, close: () => dispatcher.destroy() }
}

const lostConnection: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The code of a system's or undici's error, empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Each is given: where one is left out, undici reads the environment itself. */
function proxyOptions({
  httpProxy = '',
  httpsProxy = '',
  noProxy = '',
}: ProxySettings): Readonly<Record<keyof ProxySettings, string>> {
  return { httpProxy, httpsProxy, noProxy }
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

/** The error of one request, `says` completing "GET /path …"; the query is left out, since it may hold a credential. */
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

/** The body without its coding (RFC 9110 section 8.4); `upstream_invalid` for one that cannot be undone, or beyond `bytesMax`. */
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

/** The target of the first link to a next page in a `Link` field (RFC 8288 section 3); undefined where there is none. */
export function nextLink(field: string): string | undefined {
  for (const [, target = '', text = ''] of field.matchAll(linkPattern)) {
    const parameters = Array.from(
      text.matchAll(parameterPattern),
      ([, name = '', quoted, token = '']) =>
        [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? token] as const,
    )
    // Of a repeated parameter the first counts; a link with an anchor speaks of another resource.
    const relation = parameters.find(([name]) => name === 'rel')?.[1] ?? ''
    const isOfOther = parameters.some(([name]) => name === 'anchor')
    if (relation.toLowerCase().split(/\s+/).includes('next') && !isOfOther) return target.trim()
  }
  return undefined
}

const plainTimeoutMs = 5000
const plainBytesMax = 1024 * 1024
/** Answers that have no body (Fetch standard, "null body status"). */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** What is asked; the body of a form, where there is one. */
interface PlainRequest {
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
