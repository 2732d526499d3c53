import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'

import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { pageUrl } from '../feeds/feed-address.ts'
import { endedCalendar } from '../publishing/ended-calendar.ts'
import { type EndedLink, openCalendar, type OpenLink } from '../publishing/open-link.ts'
import type { CalendarForm, PublishedCalendar } from '../publishing/publication.ts'
import type { CalendarState } from '../publishing/serviceability.ts'
import { isNotModified, sendNotModified, sendRepresentation } from '../web/conditional-request.ts'
import type { HttpDeps } from './http-deps.ts'
import { takePoll } from './limits.ts'
import { basePath } from './pages/page-renderer.ts'

type FeedRequest = Request<{ token: string; name: string }>

/** Longer ones are cut by file systems, which then lose the extension. */
const lengthMax = 100
/**
 * Letters of any script with their marks, digits, pictographs and the joints of words. No dot, which would fake another
 * extension; no separator, quote or sign that a header or a file system reads; nothing unseen that turns what is read.
 */
const unsafe = /[^\p{L}\p{M}\p{N}[\p{Extended_Pictographic}--\p{Cn}] _\-]+/gv

type FeedRoutesDeps = Pick<
  HttpDeps,
  'publisher' | 'links' | 'limits' | 'recorder' | 'metrics' | 'publicUrl'
>

/**
 * `GET, HEAD /feeds/{token}/{name}.ics`. Calendar clients delete what an answer lacks, so it is whole or it is an error.
 * `Accept` and `Authorization` are not looked at: Google sends no `Accept`, Outlook may send a password of its own.
 * No client is served otherwise than another by its user agent. What is no calendar client is a browser that opens the
 * address as a document of its own (Fetch Metadata, `Sec-Fetch-Dest`): it is sent to the page, where a tap subscribes
 * instead of importing a copy that never changes.
 */
export function serveCalendar(deps: FeedRoutesDeps) {
  const serve = serveForm(deps, 'ics')
  return async (request: FeedRequest, response: Response): Promise<void> => {
    if (isNavigation(request)) return sendToPage(deps, request, response)
    await serve(request, response)
  }
}

/** `GET, HEAD /feeds/{token}/{name}.json`: the same events for programs, revalidated in the same way. */
export function serveEvents(deps: FeedRoutesDeps): ReturnType<typeof serveForm> {
  return serveForm(deps, 'json')
}

function serveForm(deps: FeedRoutesDeps, form: CalendarForm) {
  const { publisher } = deps
  return async (request: FeedRequest, response: Response): Promise<void> => {
    const open = await openPolled(deps, request, response)
    if ('endedAt' in open) {
      return sendCalendar(request, response, { form, ...(await endedCalendar(open, form)) })
    }
    const state = await publisher.assess(open)
    setStaleness(response, state)
    const known = publisher.unchanged(state, form)
    if (known && isNotModified(request.headers, known)) return sendNotModified(response, known)
    await sendCalendar(request, response, { form, ...(await publisher.publish(state, form)) })
  }
}

function isNavigation({ headers, query }: FeedRequest): boolean {
  return headers['sec-fetch-dest'] === 'document' && !isDownload(query)
}

/** The page says what becomes of the address, so that it is neither looked up nor counted here. */
function sendToPage(
  { publicUrl }: FeedRoutesDeps,
  { params }: FeedRequest,
  response: Response,
): void {
  setCommonHeaders(response)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Vary', 'Sec-Fetch-Dest')
  response.setHeader('Location', pageUrl(basePath(publicUrl), encodeURIComponent(params.token)))
  response.status(303).end()
}

/** Opens the calendar that a client asks for: `not_found`, `gone`, or `too_many_requests` for too busy a link. */
function openPolled(
  deps: FeedRoutesDeps,
  request: FeedRequest,
  response: Response,
): Promise<OpenLink | EndedLink> {
  setCommonHeaders(response)
  return openCalendar(deps.links, request.params.token, followPoll(deps, request, response))
}

/**
 * Notes a calendar client's request once it is answered. Gives what its link is told to as soon as it is known:
 * `too_many_requests` where the link is asked for beyond its limit, which stands far above real polling.
 */
function followPoll(
  { limits, recorder, metrics }: FeedRoutesDeps,
  request: FeedRequest,
  response: Response,
): (link: FeedLink) => void {
  const route = request.path.endsWith('.json') ? 'events' : 'calendar'
  const begun = performance.now()
  let polled: FeedLink | undefined
  response.once('finish', () => {
    metrics.countAnswer(route, response.statusCode, (performance.now() - begun) / 1000)
    if (!polled) return
    recorder.note({
      link: polled,
      userAgent: request.headers['user-agent'],
      status: response.statusCode,
      hasChangeOf: changeGiven(request, response),
    })
  })
  return (link) => {
    polled = link
    takePoll(limits, link)
  }
}

/** A client has the calendar by a body, or by being told that it has it already; HEAD gives none. */
function changeGiven({ method }: FeedRequest, response: Response): Instant | null {
  const { statusCode } = response
  const has = statusCode === 304 || (statusCode === 200 && method === 'GET')
  const lastModified = has ? response.getHeader('Last-Modified') : undefined
  return typeof lastModified === 'string' ? Date.parse(lastModified) : null
}

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
function setStaleness(response: Response, { serviceability: { staleForMs } }: CalendarState): void {
  if (staleForMs === null) return
  response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
}

const types: Readonly<Record<CalendarForm, string>> = {
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Answers with the calendar in that form, or that the client has it. */
function sendCalendar(
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
function isDownload(query: FeedRequest['query']): boolean {
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
