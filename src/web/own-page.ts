import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request that changes something comes from one of our pages. Browsers show that in Sec-Fetch-Site (W3C Fetch
 * Metadata) on https and loopback addresses, and in Origin (RFC 6454 section 7). A request with neither is not from a page.
 * Pages without referrers, since their address is secret, send `null` as Origin. `mayHideOrigin` accepts that if
 * Sec-Fetch-Site proves the rest, or where no browser sends it.
 */
export function isFromOwnPage(
  headers: IncomingHttpHeaders,
  publicUrl: string,
  { mayHideOrigin = false } = {},
): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (site === undefined && origin === undefined) return false
  if (site !== undefined && site !== 'same-origin') return false
  const own = new URL(publicUrl)
  if (origin === undefined || origin === own.origin) return true
  return mayHideOrigin && origin === 'null' && (site !== undefined || own.protocol === 'http:')
}
