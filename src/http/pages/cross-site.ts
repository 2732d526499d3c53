import type { Request } from 'express'

/**
 * Whether a request that changes something comes from a page of ours. Browsers say so in Sec-Fetch-Site (W3C Fetch
 * Metadata) where the address is https or loopback; elsewhere Origin counts, which a page without referrers sends as
 * `null`. A request with neither comes from no page.
 */
export function isFromOwnPage(headers: Request['headers'], publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, protocol } = new URL(publicUrl)
  return headers.origin === origin || (headers.origin === 'null' && protocol === 'http:')
}
