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
