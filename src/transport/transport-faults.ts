import type { AppError } from '../domain/errors.ts'
import { requestFault } from './request-fault.ts'

/** Faults of a connection on which no whole answer came. */
const unanswered: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'was refused a connection'],
  ['ECONNRESET', 'lost its connection'],
  ['EPIPE', 'lost its connection'],
  ['ETIMEDOUT', 'found no connection in time'],
  ['EHOSTUNREACH', 'found no way to the host'],
  ['ENETUNREACH', 'found no way to the network'],
  ['EAI_AGAIN', 'found no address for the host name'],
  ['UND_ERR_SOCKET', 'lost its connection'],
  ['UND_ERR_CONNECT_TIMEOUT', 'found no connection in time'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'lost its connection'],
  ['UND_ERR_PRX_CONN', 'lost its connection to the proxy'],
  ['ENOTFOUND', 'found no address for the host name'],
  ['UND_ERR_HEADERS_TIMEOUT', 'was not answered in time'],
  ['UND_ERR_BODY_TIMEOUT', 'was not answered in time'],
  ['UND_ERR_DESTROYED', 'was cut off, since the program is ending'],
  ['UND_ERR_CLOSED', 'was not sent, since the program is ending'],
])

/** Answers that cannot be read, whoever sent them. */
const unreadable: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'answered more than the size limit allows'],
  ['UND_ERR_HEADERS_OVERFLOW', 'answered more header fields than the size limit allows'],
])

/**
 * What a failed exchange means to the caller. The error itself is not passed on as a cause, since
 * undici's errors may hold what was sent and received.
 */
export function transportFault(error: unknown, url: URL): AppError {
  const code = codeOf(error)
  const says = unreadable.get(code)
  if (says !== undefined) return requestFault('upstream_invalid', url, says)
  if (error instanceof Error && error.name === 'HTTPParserError') {
    return requestFault('upstream_invalid', url, 'was answered, but not in HTTP')
  }
  return requestFault('upstream_unavailable', url, `${saysOf(code)} (${code})`)
}

function saysOf(code: string): string {
  if (code === 'CERT_HAS_EXPIRED') return 'was not sent: the certificate has expired'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'was not sent: the certificate is for another host name'
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return 'was not sent: there is no TLS at that port (https where http is spoken?)'
  }
  if (/CERT|^UNABLE_TO_|ISSUER/.test(code)) {
    return 'was not sent: the certificate is not trusted (NODE_EXTRA_CA_CERTS in the environment names further authorities)'
  }
  return unanswered.get(code) ?? 'failed'
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown fault'
}
