/** Where the holder of a link finds the calendar and its page. */
export interface LinkAddresses {
  readonly url: string
  readonly page: string
}

/** Both addresses of a link, of which no other reply than the one that makes it tells. */
export function linkAddresses(publicUrl: string, token: string, name: string): LinkAddresses {
  return { url: feedUrl(publicUrl, token, name), page: pageUrl(publicUrl, token) }
}

/** The secret address of a calendar: `{base}/feeds/{token}/{slug}.ics`. */
export function feedUrl(publicUrl: string, token: string, name: string): string {
  return `${pageUrl(publicUrl, token)}/${slug(name)}.ics`
}

/** The address of the page beside the calendar. */
export function pageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/feeds/${token}`
}

/** Lowercase ASCII words joined by hyphens: it is only for people, so it may lose what ASCII lacks. */
function slug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, 60).replace(/-$/, '') ?? 'calendar'
}
