/* Which resources the addresses below `/dav/` name. */

export type Place =
  | { readonly kind: 'principal' }
  | { readonly kind: 'home' }
  | { readonly kind: 'calendar'; readonly feedId: string }
  | { readonly kind: 'event'; readonly feedId: string; readonly name: string }

/** Undefined unless the path is `/dav`, one below it, or `/.well-known/caldav` (RFC 6764). */
export function routeOf(url: string): 'dav' | 'well-known' | undefined {
  // Most requests are for something else.
  if (!/^(?:\/(?:d|\.|%)|https?:)/i.test(url)) return undefined
  const [first, second, ...rest] = segmentsOf(pathOf(url)) ?? []
  if (first === 'dav') return 'dav'
  const isWellKnown = first === '.well-known' && second === 'caldav' && rest.length === 0
  return isWellKnown ? 'well-known' : undefined
}

/** The path of a request target, which may be an absolute URI (RFC 9112 section 3.2.2). */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
}

/** Undefined if there is nothing at that path. */
export function placeOf(path: string): Place | undefined {
  const [root, calendars, feedId, file, ...rest] = segmentsOf(path) ?? []
  if (root !== 'dav' || rest.length > 0) return undefined
  if (calendars === undefined) return { kind: 'principal' }
  if (calendars !== 'calendars') return undefined
  if (feedId === undefined) return { kind: 'home' }
  if (file === undefined) return { kind: 'calendar', feedId }
  const name = /^(.+)\.ics$/.exec(file)?.[1]
  return name === undefined || path.endsWith('/') ? undefined : { kind: 'event', feedId, name }
}

/**
 * Returns the decoded segments of a path, since a percent-encoded spelling is the same path (RFC 3986 section 6.2.2.2). A
 * trailing slash adds none. Undefined if a segment cannot be decoded, or could lead to another path.
 */
function segmentsOf(path: string): readonly string[] | undefined {
  const [, ...encoded] = path.split('/')
  try {
    const segments = encoded.map((segment) => decodeURIComponent(segment))
    if (segments.at(-1) === '') segments.pop()
    const isPlain = segments.every((it) => it !== '' && !/^\.\.?$|[/\\\0]/.test(it))
    return isPlain ? segments : undefined
  } catch {
    return undefined
  }
}

/** Paths as clients see them: they begin with that of the public address. */
export class Hrefs {
  readonly #base: string
  readonly principal: string
  readonly home: string

  /** `base` has no trailing slash. */
  constructor(base: string) {
    this.#base = base
    this.principal = `${base}/dav/`
    this.home = `${base}/dav/calendars/`
  }

  of(place: Place): string {
    if (place.kind === 'principal') return this.principal
    if (place.kind === 'home') return this.home
    const calendar = `${this.home}${encodeURIComponent(place.feedId)}/`
    return place.kind === 'calendar' ? calendar : `${calendar}${encodeURIComponent(place.name)}.ics`
  }

  ofPath(path: string): string {
    return this.#base + path
  }

  /** Takes a path or a URI; undefined if it names nothing. */
  placeAt(href: string): Place | undefined {
    const path = pathOf(href.trim())
    return path.startsWith(`${this.#base}/`) ? placeOf(path.slice(this.#base.length)) : undefined
  }
}
