import type { Request, Response } from 'express'

import { EncodedBody, type PublishedCalendar, weakTag } from '../publishing/publication.ts'
import type { CalendarState } from '../publishing/serviceability.ts'
import { calendarDisposition } from './file-name.ts'
import { sendRepresentation } from './representation.ts'

export type FeedRequest = Request<{ token: string; name: string }>

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

/** Answers with the calendar, or that the client has it. */
export function sendCalendar(
  request: FeedRequest,
  response: Response,
  { publication, body }: PublishedCalendar,
): Promise<void> {
  const type = 'text/calendar; charset=utf-8'
  const disposition = dispositionOf(request)
  return sendRepresentation(request, response, { validators: publication, type, disposition, body })
}

/** Answers with the events for programs, or that the client has them. */
export async function sendEvents(
  request: FeedRequest,
  response: Response,
  text: string,
): Promise<void> {
  const type = 'application/json; charset=utf-8'
  const validators = { etag: weakTag(text) }
  const body = await EncodedBody.of(text)
  await sendRepresentation(request, response, { validators, type, body })
}

/** RFC 6266: shown in place, or with `?download` kept as a file. */
function dispositionOf({ params, query }: FeedRequest): string {
  return calendarDisposition(isDownload(query) ? 'attachment' : 'inline', params.name)
}

/** Whether the calendar is asked for as a file. */
export function isDownload(query: FeedRequest['query']): boolean {
  return query['download'] !== undefined
}
