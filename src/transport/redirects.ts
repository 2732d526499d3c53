import type { HttpAnswer } from './http.ts'

/** How many redirects one request follows. */
export const REDIRECTS_MAX = 3

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where the answer redirects to (RFC 9110 section 15.4); undefined where it does not, or to no readable address. */
export function redirectTarget({ status, headers }: HttpAnswer, url: URL): URL | undefined {
  const { location } = headers
  if (!REDIRECT_STATUSES.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, url.href) ?? undefined
}
