import { EnvHttpProxyAgent, request } from 'undici'

import type { ConnectionSettings } from '../domain/connection.ts'

/** The header fields of an answer, names in lower case; a field that came several times is an array. */
type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface HttpAnswer {
  readonly status: number
  readonly headers: HttpHeaders
  /** As it came over the wire; empty for any status but 200. */
  readonly body: Buffer
}

/** The proxies of the environment; an empty or missing value is none. */
export interface ProxySettings {
  readonly httpProxy?: string | undefined
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
}

export interface Http {
  /** One GET over a kept connection, no redirect followed; fails with undici's errors or the signal's reason. */
  get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer>
  /** Ends the connections and cuts off what is under way. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const ERROR_BODY_BYTES_MAX = 65_536

/** The only way out of the program: one pool of at most `concurrency` connections per origin. */
export function createHttp(settings: ConnectionSettings, proxy: ProxySettings = {}): Http {
  const dispatcher = new EnvHttpProxyAgent({
    connections: settings.concurrency,
    allowH2: false,
    connectTimeout: Math.min(settings.timeoutMs, CONNECT_TIMEOUT_MS),
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
    await body.dump({ limit: ERROR_BODY_BYTES_MAX, signal })
    return { status, headers: answer.headers, body: Buffer.alloc(0) }
  }

  return { get, close: () => dispatcher.destroy() }
}

async function readAll(body: { bytes(): Promise<Uint8Array> }): Promise<Buffer> {
  return Buffer.from(await body.bytes())
}
