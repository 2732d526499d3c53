import type { Request } from 'express'
import ipaddr from 'ipaddr.js'

import { isLoopbackName } from '../domain/company.ts'

/** Whether an address is this machine's own, which no other can open. */
export function isLoopback(url: string): boolean {
  return isLoopbackName(new URL(url).hostname)
}

/** Whether another machine would open something else at that address, or nothing: also where it names no interface. */
export function opensHereOnly(url: string): boolean {
  const { hostname } = new URL(url)
  return isLoopback(url) || /^(?:0\.0\.0\.0|\[::\]|.*\.localhost)$/i.test(hostname)
}

/** What of a request tells where it comes from. */
export interface AskedRequest extends Pick<Request, 'headers' | 'ip'> {
  readonly socket: Pick<Request['socket'], 'remoteAddress'>
  readonly app: { get(setting: string): unknown }
}

/** What proxies add to a request (RFC 7239 section 4, RFC 9110 section 7.6.3, and what was usual before, or is elsewhere). */
const forwardingField =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|cf-connecting-ip|true-client-ip)$/

/**
 * Whether a request comes from this machine itself: it names it in `Host`, which one that a page elsewhere makes after its name
 * was bound to this machine (DNS rebinding) does not; its connection does not come from another; and no proxy has handed it
 * on for somebody else, as far as a proxy says so, unless `TRUST_PROXY` says how to read for whom.
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
