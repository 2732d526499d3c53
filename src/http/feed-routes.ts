import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import { calendarJson } from '../publishing/calendar-json.ts'
import { EncodedBody, type ContentCoding } from '../publishing/encoded-body.ts'
import { endedCalendar, endedEvents } from '../publishing/ended-calendar.ts'
import { weakTag } from '../publishing/entity-tag.ts'
import { openCalendar } from '../publishing/open-link.ts'
import type { CalendarState, PublishedCalendar, Publisher } from '../publishing/publisher.ts'
import { isNotModified, type Validators } from '../web/conditional-request.ts'
import { setRetryAfter, statusOf } from '../web/problem.ts'
import { followPoll, type PollDeps } from './polls.ts'

export interface FeedRoutesDeps extends PollDeps {
  readonly publisher: Publisher
  readonly links: Parameters<typeof openCalendar>[0]
}

/** Where nothing better is known. */
const retryAfterSeconds = '120'

type FeedRequest = Request<{ token: string; name: string }>

/** Serves `/feeds/{token}/{name}.ics`: calendar clients delete what an answer lacks, so it is whole or it is an error. */
export function serveCalendar(deps: FeedRoutesDeps) {
  const { publisher, links } = deps
  return async (request: FeedRequest, response: Response): Promise<void> => {
    setCommonHeaders(response)
    const onFound = followPoll(deps, request, response)
    const open = await openCalendar(links, request.params.token, onFound)
    if ('endedAt' in open) return sendCalendar(request, response, await endedCalendar(open))
    const state = await publisher.assess(open)
    setStaleness(response, state)
    const known = publisher.unchanged(state)
    if (known && answersNotModified(request, response, known)) return
    await sendCalendar(request, response, await publisher.publish(state))
  }
}

/** Serves `/feeds/{token}/{name}.json`: the same events for programs. */
export function serveEvents(deps: FeedRoutesDeps) {
  const { publisher, links } = deps
  return async (request: FeedRequest, response: Response): Promise<void> => {
    setCommonHeaders(response)
    const onFound = followPoll(deps, request, response)
    const open = await openCalendar(links, request.params.token, onFound)
    if ('endedAt' in open) {
      return sendEvents(request, response, calendarJson(open.feed, endedEvents(open)))
    }
    const state = await publisher.assess(open)
    setStaleness(response, state)
    await sendEvents(request, response, calendarJson(state.feed, await publisher.events(state)))
  }
}

/** Answers what went wrong with a feed in plain text: a calendar client must never take HTML for a calendar. */
export function sendFeedError(response: Response, error: unknown): void {
  const known = asAppError(error)
  const status = known ? statusOf(known) : 500
  if (status === 503) response.setHeader('Retry-After', retryAfterSeconds)
  if (known) setRetryAfter(response, known)
  const text = known ? known.message : 'Something went wrong here; ask again later.'
  setCommonHeaders(response)
  if (status === 429 || status >= 500) response.setHeader('Cache-Control', 'no-store')
  response.removeHeader('ETag')
  response.removeHeader('Last-Modified')
  response.status(status).type('text/plain').send(`${text}\n`)
}

/** RFC 9110 section 15.5.6. */
export function refuseMethod(_request: Request, response: Response): void {
  setCommonHeaders(response)
  response.setHeader('Allow', 'GET, HEAD')
  response.status(405).type('text/plain').send('A calendar can only be read.\n')
}

/** What an address that never existed answers. */
export function unknownCalendar(): AppError {
  return new AppError('not_found', 'There is no such calendar.')
}

function setCommonHeaders(response: Response): void {
  response.setHeader('Cache-Control', 'private, max-age=300')
  response.setHeader('Vary', 'Accept-Encoding')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

function setStaleness(response: Response, { serviceability: { staleForMs } }: CalendarState): void {
  if (staleForMs === null) return
  response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
}

function answersNotModified(
  request: Request<{ token: string; name: string }>,
  response: Response,
  { etag, lastModified }: Validators,
): boolean {
  response.setHeader('ETag', etag)
  if (lastModified !== undefined) {
    response.setHeader('Last-Modified', new Date(lastModified).toUTCString())
  }
  const notModified = isNotModified(request.headers, { etag, lastModified })
  if (notModified) response.status(304).end()
  return notModified
}

async function sendCalendar(
  request: FeedRequest,
  response: Response,
  { publication, body }: PublishedCalendar,
): Promise<void> {
  if (answersNotModified(request, response, publication)) return
  response.setHeader('Content-Type', 'text/calendar; charset=utf-8')
  response.setHeader('Content-Disposition', disposition(request))
  await sendBody(request, response, body)
}

async function sendEvents(request: FeedRequest, response: Response, text: string): Promise<void> {
  if (answersNotModified(request, response, { etag: weakTag(text) })) return
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  await sendBody(request, response, await EncodedBody.of(text))
}

/** RFC 6266, the plain name always quoted: not every client reads it otherwise. */
function disposition(request: FeedRequest): string {
  const type = request.query['download'] === undefined ? 'inline' : 'attachment'
  const header = contentDisposition(`${request.params.name}.ics`, { type })
  return header.replace(/filename=([^";]+)/, 'filename="$1"')
}

async function sendBody(
  request: FeedRequest,
  response: Response,
  body: EncodedBody,
): Promise<void> {
  const coding = request.acceptsEncodings('gzip', 'br', 'zstd', 'identity')
  const bytes = await body.in(isCoding(coding) ? coding : 'identity')
  if (isCoding(coding) && coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.status(200).end(bytes)
}

function isCoding(coding: unknown): coding is ContentCoding {
  return coding === 'gzip' || coding === 'br' || coding === 'zstd' || coding === 'identity'
}
