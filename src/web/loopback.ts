import type { Request } from 'express'
import ipaddr from 'ipaddr.js'

import { isLoopbackName } from '../domain/company.ts'

/** Whether an address is loopback, which no other machine can open. */
export function isLoopback(url: string): boolean {
  return isLoopbackName(new URL(url).hostname)
}

/** Whether other machines cannot open this address: it is loopback, or names no interface, such as 0.0.0.0. */
export function opensHereOnly(url: string): boolean {
  const { hostname } = new URL(url)
  return isLoopback(url) || /^(?:0\.0\.0\.0|\[::\]|.*\.localhost)$/i.test(hostname)
}

/** The parts of a request that show where it comes from. */
export interface AskedRequest extends Pick<Request, 'headers' | 'ip'> {
  readonly socket: Pick<Request['socket'], 'remoteAddress'>
  readonly app: { get(setting: string): unknown }
}

/** Headers that proxies add (RFC 7239 section 4, RFC 9110 section 7.6.3, and older or vendor-specific ones). */
const forwardingField =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|cf-connecting-ip|true-client-ip)$/

/**
 * Whether a request comes from this machine. Its `Host` must be loopback, which excludes DNS rebinding, where a page
 * elsewhere binds its own name to this machine. Its connection must be loopback too. By its headers, no proxy may have
 * forwarded it for another client, unless `TRUST_PROXY` tells how to find that client.
 */
export function isFromHere(request: AskedRequest): boolean {
  const { headers, socket, ip } = request
  if (!isLoopbackName((headers.host ?? '').replace(/:\d+$/, ''))) return false
  const isForwarded = Object.keys(headers).some((field) => forwardingField.test(field))
  if (isForwarded && !saysForWhom(request)) return false
  return isLoopbackAddress(socket.remoteAddress) && isLoopbackAddress(ip)
}

function saysForWhom({ headers, app }: AskedRequest): boolean {
  const trusted: unknown = app.get('trust proxy')
  return Number(trusted) > 0 && (headers['x-forwarded-for'] ?? '') !== ''
}

function isLoopbackAddress(ip = ''): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
}
