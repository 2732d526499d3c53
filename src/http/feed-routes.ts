import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'

import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { calendarJson } from '../publishing/calendar-json.ts'
import { endedCalendar, endedEvents } from '../publishing/ended-calendar.ts'
import { type EndedLink, openCalendar, type OpenLink } from '../publishing/open-link.ts'
import {
  type ContentCoding,
  EncodedBody,
  type PublishedCalendar,
  weakTag,
} from '../publishing/publication.ts'
import type { CalendarState } from '../publishing/serviceability.ts'
import { isNotModified, type Validators } from '../web/conditional-request.ts'
import type { HttpDeps } from './http-deps.ts'
import { takePoll } from './limits.ts'

type FeedRoutesDeps = Pick<HttpDeps, 'publisher' | 'links' | 'limits' | 'recorder' | 'metrics'>

type FeedRequest = Request<{ token: string; name: string }>

/** Of equally welcome ones the first is taken. */
const codings = ['gzip', 'br', 'zstd', 'identity'] as const satisfies readonly ContentCoding[]

/**
 * `GET, HEAD /feeds/{token}/{name}.ics`. Calendar clients delete what an answer lacks, so it is whole or it is an error.
 * `Accept` and `Authorization` are not looked at: Google sends no `Accept`, Outlook may send a password of its own.
 * No client is served otherwise than another by its user agent.
 */
export function serveCalendar(deps: FeedRoutesDeps) {
  const { publisher } = deps
  return async (request: FeedRequest, response: Response): Promise<void> => {
    const open = await openPolled(deps, request, response)
    if ('endedAt' in open) return sendCalendar(request, response, await endedCalendar(open))
    const state = await publisher.assess(open)
    setStaleness(response, state)
    const known = publisher.unchanged(state)
    if (known && isNotModified(request.headers, known)) return sendNotModified(response, known)
    await sendCalendar(request, response, await publisher.publish(state))
  }
}

/** `GET, HEAD /feeds/{token}/{name}.json`: the same events for programs, revalidated in the same way. */
export function serveEvents(deps: FeedRoutesDeps) {
  const { publisher } = deps
  return async (request: FeedRequest, response: Response): Promise<void> => {
    const open = await openPolled(deps, request, response)
    if ('endedAt' in open) {
      return sendEvents(request, response, calendarJson(open.feed, endedEvents(open)))
    }
    const state = await publisher.assess(open)
    setStaleness(response, state)
    await sendEvents(request, response, calendarJson(state.feed, await publisher.events(state)))
  }
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
 * Programs may go on with it for five minutes, and other codings of it are the same calendar.
 */
export function setCommonHeaders(response: Response): void {
  response.setHeader('Cache-Control', 'private, max-age=300')
  response.setHeader('Vary', 'Accept-Encoding')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

/**
 * While the Read API fails, or does not answer in time, the last good calendar is served with the age of the oldest
 * collection in it that could not be refreshed; a 304 says it too.
 */
function setStaleness(response: Response, { serviceability: { staleForMs } }: CalendarState): void {
  if (staleForMs === null) return
  response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
}

/** A 304 has the headers that the 200 would have (RFC 9110 section 15.4.5). */
function sendNotModified(response: Response, validators: Validators): void {
  setValidators(response, validators)
  response.status(304).end()
}

function setValidators(response: Response, { etag, lastModified }: Validators): void {
  response.setHeader('ETag', etag)
  if (lastModified === undefined) return
  response.setHeader('Last-Modified', new Date(lastModified).toUTCString())
}

async function sendCalendar(
  request: FeedRequest,
  response: Response,
  { publication, body }: PublishedCalendar,
): Promise<void> {
  if (isNotModified(request.headers, publication)) return sendNotModified(response, publication)
  setValidators(response, publication)
  response.setHeader('Content-Type', 'text/calendar; charset=utf-8')
  response.setHeader('Content-Disposition', disposition(request))
  await sendBody(request, response, body)
}

async function sendEvents(request: FeedRequest, response: Response, text: string): Promise<void> {
  const validators = { etag: weakTag(text) }
  if (isNotModified(request.headers, validators)) return sendNotModified(response, validators)
  setValidators(response, validators)
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  await sendBody(request, response, await EncodedBody.of(text))
}

/**
 * RFC 6266: shown in place, or with `?download` kept as a file. The plain name is always quoted, since not every client
 * reads it otherwise; a name outside ASCII stands in `filename*` too.
 */
function disposition(request: FeedRequest): string {
  const type = request.query['download'] === undefined ? 'inline' : 'attachment'
  const header = contentDisposition(`${request.params.name}.ics`, { type })
  return header.replace(/filename=([^";]+)/, 'filename="$1"')
}

/** Compressed bytes are ready or are kept from now on: to compress for each request would cost sixty times as much. */
async function sendBody(
  request: FeedRequest,
  response: Response,
  body: EncodedBody,
): Promise<void> {
  const accepted = request.acceptsEncodings(...codings)
  const coding = codings.find((it) => it === accepted) ?? 'identity'
  const bytes = await body.in(coding)
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.status(200).end(bytes)
}
