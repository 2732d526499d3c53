import type { Socket } from 'node:net'

import type { ErrorCode } from '../../src/domain/errors.ts'
import {
  answer,
  answerBomb,
  answerJson,
  type Behaviour,
  closeBeforeHeaders,
  closeInBody,
  closeInChunk,
  drip,
  flood,
  resetBeforeHeaders,
  resetInBody,
  resetInHeaders,
  type SeenRequest,
  speakSmtp,
  stall,
} from '../support/company/misbehaving-server.ts'
import { clientSettings } from './operations.ts'

export interface Fault {
  readonly behave: Behaviour
  readonly code: ErrorCode
  /** How many requests are sent where it is not one: each redirect is followed by another. */
  readonly requests?: number
  readonly status?: number
  readonly says?: string
}

const tooLarge = clientSettings.bodyBytesMax + 1
const html = '<!doctype html><title>Sign in</title>'

/** What a server can do to a client, and what the caller is told; each on any operation. */
export const serverFaults: Readonly<Record<string, Fault>> = {
  'reset before headers': { behave: resetBeforeHeaders, code: 'upstream_unavailable' },
  'closed before headers': {
    behave: closeBeforeHeaders,
    code: 'upstream_unavailable',
  },
  'reset in the headers': { behave: resetInHeaders, code: 'upstream_unavailable' },
  'reset in the body': { behave: resetInBody, code: 'upstream_unavailable' },
  'closed in the body': { behave: closeInBody, code: 'upstream_unavailable' },
  'closed in a chunk': { behave: closeInChunk, code: 'upstream_unavailable' },
  'not HTTP': { behave: speakSmtp, code: 'upstream_invalid' },
  'truncated JSON': {
    behave: answer({ body: '{"data":[{"id":' }),
    code: 'upstream_invalid',
    says: 'answered what is not JSON',
  },
  'an empty body': { behave: answer({}), code: 'upstream_invalid' },
  'HTML with 200': {
    behave: answer({ body: html, headers: { 'content-type': 'text/html' } }),
    code: 'upstream_invalid',
    says: 'answered HTML: is the base URL right?',
  },
  'HTML with 404': {
    behave: answer({ status: 404, body: html, headers: { 'content-type': 'text/html' } }),
    code: 'upstream_not_found',
    status: 404,
    says: 'answered 404 with HTML: is the base URL right?',
  },
  '{}': { behave: answerJson({}), code: 'upstream_invalid' },
  'data: null': { behave: answerJson({ data: null }), code: 'upstream_invalid' },
  'data: text': { behave: answerJson({ data: 'none' }), code: 'upstream_invalid' },
  'a bare array': { behave: answerJson([]), code: 'upstream_invalid' },
  'deep nesting': {
    behave: answer({ body: '['.repeat(50_000) }),
    code: 'upstream_invalid',
  },
  'an endless body': {
    behave: flood,
    code: 'upstream_invalid',
    says: 'answered more than the size limit allows',
  },
  'a body over the limit': {
    behave: answer({ body: Buffer.alloc(tooLarge, ' ') }),
    code: 'upstream_invalid',
  },
  'a body over the limit, compressed': {
    behave: answerBomb(tooLarge),
    code: 'upstream_invalid',
    says: `answered more than ${clientSettings.bodyBytesMax} bytes, once decompressed`,
  },
  'a compressed body cut short': {
    behave: answer({ body: '\u001F', headers: { 'content-encoding': 'gzip' } }),
    code: 'upstream_invalid',
    says: 'answered a body that cannot be decompressed',
  },
  'an unknown coding': {
    behave: answer({ body: '{}', headers: { 'content-encoding': 'rot13' } }),
    code: 'upstream_invalid',
  },
  'too many header fields': {
    behave: answer({ headers: { 'x-long': 'a'.repeat(100_000) } }),
    code: 'upstream_invalid',
  },
  '204': status(204, 'upstream_rejected'),
  '206': status(206, 'upstream_rejected'),
  '304 unasked': status(304, 'upstream_rejected'),
  '400': status(400, 'upstream_rejected'),
  '401': status(401, 'upstream_rejected'),
  '403': status(403, 'upstream_rejected'),
  '404': status(404, 'upstream_not_found'),
  '409': status(409, 'upstream_rejected'),
  '410': status(410, 'upstream_not_found'),
  '429': status(429, 'upstream_unavailable'),
  '500': status(500, 'upstream_unavailable'),
  '502': status(502, 'upstream_unavailable'),
  '503': status(503, 'upstream_unavailable'),
  '504': status(504, 'upstream_unavailable'),
  'a redirect to another host': {
    behave: answer({ status: 302, headers: { location: 'http://other.invalid/api?x=1' } }),
    code: 'upstream_rejected',
    status: 302,
    says: 'answered 302, a redirect that is not followed, to http://other.invalid',
  },
  'a redirect without an address': status(302, 'upstream_rejected'),
  'a redirect in a circle': {
    behave: redirectRound,
    code: 'upstream_rejected',
    requests: 4,
    status: 307,
  },
}

/** There and back again. */
function redirectRound(socket: Socket, request: SeenRequest): void {
  const [path = '', query] = request.path.split('?')
  const there = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const location = query === undefined ? there : `${there}?${query}`
  answer({ status: 307, headers: { location } })(socket, request)
}

/** Those that only a time-out ends. */
export const serverStalls: Readonly<Record<string, Fault>> = {
  'a stall before headers': { behave: stall, code: 'upstream_unavailable' },
  'a body at one byte a second': { behave: drip, code: 'upstream_unavailable' },
}

function status(code: number, errorCode: ErrorCode): Fault {
  const body = code === 204 || code === 304 ? '' : '{"error":{"code":"x","message":"no"}}'
  const headers = code === 204 || code === 304 ? { 'content-length': '0' } : {}
  return {
    behave: answer({ status: code, headers, body }),
    code: errorCode,
    status: code,
  }
}
