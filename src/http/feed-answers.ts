import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'

import type { CalendarForm, PublishedCalendar } from '../publishing/publication.ts'
import type { CalendarState } from '../publishing/serviceability.ts'
import { sendRepresentation } from '../web/conditional-request.ts'

export type FeedRequest = Request<{ token: string; name: string }>

/** Longer ones are cut by file systems, which then lose the extension. */
const lengthMax = 100
/**
 * Letters of any script with their marks, digits, pictographs and the joints of words. No dot, which would fake another
 * extension; no separator, quote or sign that a header or a file system reads; nothing unseen that turns what is read.
 */
const unsafe = /[^\p{L}\p{M}\p{N}[\p{Extended_Pictographic}--\p{Cn}] _\-]+/gv

/**
 * What every answer of a feed says: that its address is secret, that no search engine may list it and no cache share it.
 * Programs may go on with it for five minutes, and other codings of it are the same calendar. Other origins' pages may not
 * embed it: no program in a browser loses anything by that, since without CORS none of another origin
 * could read it, and the page's own preview is of this origin. Opened as a document it is an origin of its own that runs
 * nothing, whatever stands in its texts.
 */
export function setCommonHeaders(response: Response): void {
  response.setHeader('Cache-Control', 'private, max-age=300')
  response.setHeader('Vary', 'Accept-Encoding')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('Content-Security-Policy', 'sandbox')
}

/**
 * While the Read API fails, or does not answer in time, the last good calendar is served with the age of the oldest
 * collection in it that could not be refreshed; a 304 says it too.
 */
export function setStaleness(
  response: Response,
  { serviceability: { staleForMs } }: CalendarState,
): void {
  if (staleForMs === null) return
  response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
}

const types: Readonly<Record<CalendarForm, string>> = {
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Answers with the calendar in that form, or that the client has it. */
export function sendCalendar(
  request: FeedRequest,
  response: Response,
  { form, ...calendar }: PublishedCalendar & { readonly form: CalendarForm },
): Promise<void> {
  const { params, query } = request
  const use = isDownload(query) ? 'attachment' : 'inline'
  return sendRepresentation(request, response, {
    ...calendar,
    type: types[form],
    ...(form === 'ics' ? { disposition: calendarDisposition(use, params.name) } : {}),
  })
}

/** Whether the calendar is asked for as a file. */
export function isDownload(query: FeedRequest['query']): boolean {
  return query['download'] !== undefined
}

/**
 * RFC 6266: `{name}.ics`, to be shown in place or to be kept. Whoever has an address may write any name into it, so
 * that what is no part of a plain name is a hyphen. The name is always quoted, since not every client reads it
 * otherwise; one outside ASCII stands in `filename*` too.
 */
export function calendarDisposition(type: 'inline' | 'attachment', name: string): string {
  const header = contentDisposition(`${safeName(name)}.ics`, { type })
  return header.replace(/filename=([^";]+)/, 'filename="$1"')
}

function safeName(name: string): string {
  // Half of a pair that is cut in two is unsafe as well.
  const plain = name.normalize('NFC').slice(0, lengthMax).replaceAll(unsafe, '-')
  return plain.replaceAll(/^[ _-]+|[ _-]+$/g, '') || 'calendar'
}
