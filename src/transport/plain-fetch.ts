import { EnvHttpProxyAgent, request } from 'undici'

import type { ProxySettings } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'

const timeoutMs = 5000
const bodyBytesMax = 1024 * 1024
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
    pipelining: 0,
    allowH2: false,
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: bodyBytesMax,
    // Left out, undici would read the environment itself.
    httpProxy: proxy.httpProxy ?? '',
    httpsProxy: proxy.httpsProxy ?? '',
    noProxy: proxy.noProxy ?? '',
  })
  return async (url, { method, headers, body, signal }) => {
    try {
      const answer = await request(url, {
        dispatcher,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers },
        body: body instanceof URLSearchParams ? body.toString() : null,
        signal: signal ?? AbortSignal.timeout(timeoutMs),
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
