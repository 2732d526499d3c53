import type { Request } from 'express'

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Whether an address is this machine's own, which no other can open. */
export function isLoopback(url: string): boolean {
  return loopbackHost.test(new URL(url).hostname)
}

/**
 * Whether a request names this machine itself in `Host`. One that a page elsewhere makes after its name was bound to
 * this machine (DNS rebinding) still names that page's host.
 */
export function saysLoopback({ headers }: Pick<Request, 'headers'>): boolean {
  return loopbackHost.test(headers.host ?? '')
}
