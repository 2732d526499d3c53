import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'

import { EnvHttpProxyAgent, request } from 'undici'

import type { ConnectionSettings, ProxySettings } from '../domain/connection.ts'
import { requestFault } from './request-fault.ts'

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
    connections: settings.concurrency,
    allowH2: false,
    connectTimeout: Math.min(settings.timeoutMs, connectTimeoutMs),
    headersTimeout: settings.timeoutMs,
    bodyTimeout: settings.timeoutMs,
    maxResponseSize: settings.bodyBytesMax,
    // Left out, undici would read the environment itself.
    httpProxy: proxy.httpProxy ?? '',
    httpsProxy: proxy.httpsProxy ?? '',
    noProxy: proxy.noProxy ?? '',
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

/** In memory of its own, which is not made twice: a body may be large. */
async function readAll(body: { bytes(): Promise<Uint8Array> }): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await body.bytes()
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A header field, empty where there is none; one that came several times is one list (RFC 9110 section 5.3). */
export function fieldOf({ headers }: HttpAnswer, name: string): string {
  return [headers[name] ?? []].flat().join(', ')
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
