/* HTTP Basic (RFC 7617): the password is a link's secret. */
import type { IncomingHttpHeaders } from 'node:http'

import type { Request } from 'express'

import type { IncomingMessage } from '../web/listen.ts'
import { isFromHere } from '../web/loopback.ts'

export interface ProtectionDeps {
  readonly publicUrl: string
  readonly trustProxy: number
  readonly allowInsecure: boolean
}

/** One realm for all accounts, so that clients ask for the password once. */
export const challenge = 'Basic realm="Calendars", charset="UTF-8"'

/** Undefined if there is none; the user name does not matter. */
export function passwordOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? []
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const trimmed = password.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Whether the password has not crossed a network in plain text. */
export function isProtected(
  request: Request,
  { publicUrl, trustProxy, allowInsecure }: ProtectionDeps,
): boolean {
  if (allowInsecure || request.secure) return true
  // If the proxy says nothing, the public address tells whether TLS ends at one.
  const isPlain = trustProxy > 0 && request.headers['x-forwarded-proto'] !== undefined
  return (!isPlain && publicUrl.startsWith('https:')) || isFromHere(request)
}

/** Like `isProtected`, for requests that Express has not seen; false if in doubt. */
export function isSurelyProtected(
  request: IncomingMessage,
  { publicUrl, allowInsecure }: Omit<ProtectionDeps, 'trustProxy'>,
): boolean {
  const { headers, socket } = request
  if (allowInsecure) return true
  if (publicUrl.startsWith('https:')) return (headers['x-forwarded-proto'] ?? 'https') === 'https'
  return isFromHere({ headers, socket, ip: socket.remoteAddress, app: { get: () => 0 } })
}
