/* Errors of failed requests, as callers see them. */
import type { Authentication } from '../domain/connection.ts'
import { type AppError, codeOf } from '../domain/errors.ts'
import type { Instant } from '../domain/world.ts'
import { withoutSecrets } from './authentication.ts'
import { type HttpAnswer, redirectTarget, requestFault } from './http.ts'

/** We try again after an hour, whatever the API requests. */
const askedWaitMsMax = 3_600_000

/** Returns the error for a response with any status but 200. */
export function statusFault(
  answer: HttpAnswer,
  url: URL,
  authentication: Authentication,
  retryAfterMs: number | undefined,
): AppError {
  const { status } = answer
  const says = `answered ${status}${withoutSecrets(authentication, hint(answer, url))}`
  const options = retryAfterMs === undefined ? { status } : { status, retryAfterMs }
  if (status === 404 || status === 410) {
    return requestFault('upstream_not_found', url, says, options)
  }
  const isOut = status === 429 || status >= 500
  return requestFault(isOut ? 'upstream_unavailable' : 'upstream_rejected', url, says, options)
}

function hint(answer: HttpAnswer, url: URL): string {
  const target = redirectTarget(answer, url)
  if (target?.origin === url.origin) return ', a redirect that is not followed'
  if (target) return `, a redirect that is not followed, to ${target.origin}`
  if (answer.status === 401) return ': the credential was not accepted'
  if (answer.status === 403) return ': the credential does not open it'
  const isHtml = /\bhtml\b/i.test(String(answer.headers['content-type']))
  return isHtml ? ' with HTML: is the base URL right?' : ''
}

/**
 * Returns how long a 429 or 503 asks us to wait (RFC 9110 section 10.2.3), at most an hour; undefined if it says nothing
 * readable.
 */
export function askedWaitMs({ status, headers }: HttpAnswer, now: Instant): number | undefined {
  const value = headers['retry-after']
  if ((status !== 429 && status !== 503) || typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(askedWaitMsMax, Math.max(0, ms))
}

/** Returns NaN for anything but an HTTP-date with its zone (RFC 9110 section 5.6.7). */
function httpDate(value: string): Instant {
  return /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
}

const unreadable: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'answered more than the size limit allows'],
  ['UND_ERR_HEADERS_OVERFLOW', 'answered more header fields than the size limit allows'],
])

/** Why there is no complete response, by error code; the first match counts. */
const unanswered: readonly (readonly [says: string, code: RegExp])[] = [
  ['was refused a connection', /^ECONNREFUSED$/],
  ['lost its connection', /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH))$/],
  ['lost its connection to the proxy', /^UND_ERR_PRX_CONN$/],
  ['found no connection in time', /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/],
  ['found no way to the host', /^E(HOST|NET)UNREACH$/],
  ['found no address for the host name', /^(EAI_AGAIN|ENOTFOUND)$/],
  ['was not answered in time', /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/],
  ['was cut off, since the program is ending', /^UND_ERR_(DESTROYED|CLOSED)$/],
  ['was not sent: the certificate has expired', /^CERT_HAS_EXPIRED$/],
  ['was not sent: the certificate is for another host name', /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  [
    'was not sent: there is no TLS at that port (https where http is spoken?)',
    /^ERR_SSL_WRONG_VERSION_NUMBER$/,
  ],
  [
    'was not sent: the certificate is not trusted (NODE_EXTRA_CA_CERTS in the environment names further authorities)',
    /CERT|^UNABLE_TO_|ISSUER/,
  ],
  ['failed', /^/],
]

/** Returns the error of a failed exchange. undici's own error is not its cause, since it may contain sent and received data. */
export function transportFault(error: unknown, url: URL): AppError {
  const code = codeOf(error) || 'unknown fault'
  const says = unreadable.get(code)
  if (says !== undefined) return requestFault('upstream_invalid', url, says)
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return requestFault('upstream_invalid', url, 'was answered, but not in HTTP')
  }
  const [why] = unanswered.find(([, pattern]) => pattern.test(code)) ?? []
  return requestFault('upstream_unavailable', url, `${why} (${code})`)
}
