import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'

import { clientFamily } from '../activity/activity-recorder.ts'
import { type FeedLink, linkName } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { endedCalendar } from '../publishing/ended-calendar.ts'
import { type EndedLink, openCalendar, type OpenLink } from '../publishing/open-link.ts'
import type { CalendarForm, PublishedCalendar } from '../publishing/publication.ts'
import type { CalendarState } from '../publishing/serviceability.ts'
import { isNotModified, sendNotModified, sendRepresentation } from '../web/conditional-request.ts'
import type { IncomingMessage, ServerResponse } from '../web/server.ts'
import { commonHeaders, types } from './feed-headers.ts'
import type { HttpDeps } from './http-deps.ts'
import { sendToPage } from './page-redirect.ts'

type FeedRequest = Request<{ token: string; name: string }>

/** Longer ones are cut by file systems, which then lose the extension. */
const lengthMax = 100
/**
 * Letters of any script with their marks, digits, pictographs and the joints of words. No dot, which would fake another
 * extension; no separator, quote or sign that a header or a file system reads; nothing unseen that turns what is read.
 */
const unsafe = /[^\p{L}\p{M}\p{N}[\p{Extended_Pictographic}--\p{Cn}] _\-]+/gv
const jsonAddress = /\.json(?:\?|$)/

type FeedRoutesDeps = Pick<
  HttpDeps,
  'publisher' | 'links' | 'takeUp' | 'limits' | 'recorder' | 'metrics' | 'publicUrl' | 'log'
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
    setCommonHeaders(response)
    if (isNavigation(request)) sendToPage(deps.publicUrl, request.params.token, response)
    else await serve(request, response)
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
    const { validators, body } = await publisher.answer(state, form, (known) =>
      isNotModified(request.headers, known),
    )
    if (open.link.awaitsPoll && isProgram(request, open.link)) await deps.takeUp(open)
    if (!body) return sendNotModified(response, validators)
    await sendCalendar(request, response, { form, validators, body })
  }
}

/**
 * Whether it is a calendar program that has asked, and not a browser that shows the page of a link. A program that calls itself
 * a browser must not lose a link that is to end for lying unused: there a browser is known by what our page alone sends.
 */
function isProgram({ headers }: FeedRequest, { endsAt }: FeedLink): boolean {
  if (clientFamily(headers['user-agent']) !== 'browser') return true
  return endsAt !== null && headers['sec-fetch-site'] !== 'same-origin'
}

function isNavigation({ headers, query }: FeedRequest): boolean {
  return headers['sec-fetch-dest'] === 'document' && !isDownload(query)
}

/** Opens the calendar that a client asks for: `not_found`, `gone`, or `too_many_requests` for too busy a link. */
function openPolled(
  deps: FeedRoutesDeps,
  request: FeedRequest,
  response: Response,
): Promise<OpenLink | EndedLink> {
  setCommonHeaders(response)
  const polled = followPoll(deps, request, response)
  return openCalendar(deps.links, request.params.token, (link) => {
    polled.link = link
    deps.limits.polls.take(linkName(link))
  })
}

/** What every answer of a feed says. */
export function setCommonHeaders(response: Response): void {
  for (const [name, value] of commonHeaders) response.setHeader(name, value)
}

/**
 * While the Read API fails, or does not answer in time, the last good calendar is served with the age of the oldest
 * collection in it that could not be refreshed; a 304 says it too.
 */
function setStaleness(response: Response, { serviceability: { staleForMs } }: CalendarState): void {
  if (staleForMs === null) return
  response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
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

/** What is known of a poll, as far as it has come. */
export interface Polled {
  /** Left out while its link is not known, or where there is none. */
  link?: FeedLink
  /** Whether its answer was ready, so that nothing but one read was needed; left out where it was not. */
  readonly ready?: boolean
  /** When the calendar that it is answered with has changed; left out where the answer itself says so. */
  readonly lastModified?: Instant | undefined
}

/** Counts, notes and logs a calendar client's request once it is answered. */
export function followPoll(
  { recorder, metrics, log }: Pick<HttpDeps, 'recorder' | 'metrics' | 'log'>,
  request: IncomingMessage,
  response: ServerResponse,
  polled: Polled = {},
): Polled {
  const route = jsonAddress.test(request.url ?? '') ? 'events' : 'calendar'
  const begun = performance.now()
  response.on('finish', () => {
    const { statusCode: status } = response
    const ms = Math.round((performance.now() - begun) * 100) / 100
    const { link, ready = false } = polled
    metrics.countAnswer(route, status, ms / 1000)
    log.debug({ route, status, ready, ms, feed: link?.feedId, label: link?.label }, 'polled')
    if (!link) return
    const hasChangeOf = changeGiven(request, response, polled)
    recorder.note({ link, userAgent: request.headers['user-agent'], status, hasChangeOf })
  })
  return polled
}

/** A client has the calendar by a body, or by being told that it has it already; HEAD gives none. */
function changeGiven(
  { method }: IncomingMessage,
  response: ServerResponse,
  { lastModified }: Polled,
): Instant | null {
  const { statusCode } = response
  const has = statusCode === 304 || (statusCode === 200 && method === 'GET')
  if (!has) return null
  if (lastModified !== undefined) return lastModified
  const header = response.getHeader('Last-Modified')
  return typeof header === 'string' ? Date.parse(header) : null
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
