import type { CalendarForm } from '../publishing/publication.ts'

/**
 * What every answer of a feed says: that its address is secret, that no search engine may list it and no cache share it.
 * Programs may go on with it for five minutes, and other codings of it are the same calendar. Other origins' pages may not
 * embed it: no program in a browser loses anything by that, since without CORS none of another origin
 * could read it, and the page's own preview is of this origin. Opened as a document it is an origin of its own that runs
 * nothing, whatever stands in its texts.
 */
export const commonHeaders: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'private, max-age=300'],
  ['Vary', 'Accept-Encoding'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Robots-Tag', 'noindex, nofollow'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Content-Security-Policy', 'sandbox'],
]

/** The media type of each form. */
export const types: Readonly<Record<CalendarForm, string>> = {
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json; charset=utf-8',
}
