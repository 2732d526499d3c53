import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'

import { clientFamily } from '../activity/activity-recorder.ts'
import { AppError, asAppError, type ErrorCode, StoreUnavailable } from '../domain/errors.ts'
import { type FeedLink, linkName, nameOfToken } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { endedCalendar } from '../publishing/ended-calendar.ts'
import { openCalendar } from '../publishing/open-link.ts'
import type { CalendarForm, PublishedCalendar } from '../publishing/publication.ts'
import type { Answer } from '../publishing/ready-answers.ts'
import {
  dated,
  isNotModified,
  sendNotModified,
  sendRepresentation,
} from '../web/conditional-request.ts'
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
  | 'publisher'
  | 'ready'
  | 'deadline'
  | 'links'
  | 'takeUp'
  | 'limits'
  | 'recorder'
  | 'metrics'
  | 'publicUrl'
  | 'clock'
  | 'log'
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
  return async (request: FeedRequest, response: Response): Promise<void> => {
    setCommonHeaders(response)
    const polled = followPoll(deps, request, response)
    const poll = { request, polled, form }
    const { body, staleForMs, ...answer } = await answerInTime(deps, poll)
    const validators = dated(answer.validators, deps.clock.now())
    polled.lastModified = validators.lastModified
    setStaleness(response, staleForMs)
    if (!body) return sendNotModified(response, validators)
    await sendCalendar(request, response, { form, validators, body })
  }
}

interface FeedPoll {
  readonly request: FeedRequest
  readonly polled: Polled
  readonly form: CalendarForm
}

interface AgedAnswer extends Answer {
  /** null for one that is as new as it is to be. */
  readonly staleForMs: number | null
}

/** Of polls that were about to get an answer that was ready. */
const cameAt = new WeakMap<IncomingMessage, Instant>()

/** Has the routes answer in the time that is left of what a poll that came then may take. */
export function noteArrival(request: IncomingMessage, at: Instant): void {
  cameAt.set(request, at)
}

/** What is made now, or where the store does not answer, or all of it takes too long, the last answer: `unavailable` where there is none. */
async function answerInTime(deps: FeedRoutesDeps, poll: FeedPoll): Promise<AgedAnswer> {
  const { clock, deadline } = deps
  const at = cameAt.get(poll.request) ?? clock.now()
  let reason: unknown = new AppError('unavailable', 'The calendar is not ready in time; ask again.')
  try {
    const made = deadline.isOver(at) ? undefined : await deadline.within(at, makeAnswer(deps, poll))
    if (made) return made
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    reason = error
  }
  const last = lastAnswer(deps, poll)
  if (last) return last
  throw reason
}

async function makeAnswer(deps: FeedRoutesDeps, poll: FeedPoll): Promise<AgedAnswer> {
  const { publisher, ready } = deps
  const { request, polled, form } = poll
  const { token } = request.params
  try {
    const open = await openCalendar(deps.links, token, (link) => {
      polled.link = link
      deps.limits.polls.take(linkName(link))
    })
    if (!('endedAt' in open)) {
      ready.noteFound(open)
      const state = await publisher.assess(open)
      const { staleForMs } = state.serviceability
      const answer = await publisher.answer(state, form, (known) =>
        isNotModified(request.headers, known),
      )
      if (open.link.awaitsPoll && isProgram(poll, open.link)) await deps.takeUp(open)
      return { ...answer, staleForMs }
    }
    ready.drop(nameOfToken(token))
    return { ...(await endedCalendar(open, form)), staleForMs: null }
  } catch (error) {
    if (ended.has(asAppError(error)?.code)) ready.drop(nameOfToken(token))
    throw error
  }
}

const ended: ReadonlySet<ErrorCode | undefined> = new Set(['gone', 'not_found'])

/** What the link was answered with last; undefined where that may not go out any more, or its bytes are not there. */
function lastAnswer(
  deps: FeedRoutesDeps,
  { request, polled, form }: FeedPoll,
): AgedAnswer | undefined {
  const name = nameOfToken(request.params.token)
  const last = deps.ready.findLast(name, form)
  if (!last) return undefined
  const { answer, staleForMs } = last
  const { link, validators, body } = answer
  if (!body && !isNotModified(request.headers, validators)) return undefined
  // Where the store did not even say which link it is.
  if (!polled.link) deps.limits.polls.take(name)
  polled.link = link
  return { validators, body, staleForMs }
}

/**
 * Whether it is a calendar program that has asked, and not a browser that shows the page of a link, though that may be a mail
 * program's own and call itself by its name. A program that calls itself a browser must not lose a link that is to end for lying
 * unused: there a browser is known by what our page alone sends.
 */
function isProgram({ request: { headers }, form }: FeedPoll, { endsAt }: FeedLink): boolean {
  const isOfPage = headers['sec-fetch-site'] === 'same-origin'
  if (clientFamily(headers['user-agent']) !== 'browser') return !(isOfPage && form === 'json')
  return endsAt !== null && !isOfPage
}

function isNavigation({ headers, query }: FeedRequest): boolean {
  return headers['sec-fetch-dest'] === 'document' && !isDownload(query)
}

/** What every answer of a feed says. */
export function setCommonHeaders(response: Response): void {
  for (const [name, value] of commonHeaders) response.setHeader(name, value)
}

/**
 * While the Read API fails, or does not answer in time, the last good calendar is served with the age of the oldest
 * collection in it that could not be refreshed; while the store does not, with the time since when nobody knows whether it
 * is still the last one. A 304 says it too.
 */
function setStaleness(response: Response, staleForMs: number | null): void {
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
  /** When the calendar that it is answered with has changed; left out where that is not known, as of `.json`. */
  lastModified?: Instant | undefined
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
  { statusCode }: ServerResponse,
  { lastModified }: Polled,
): Instant | null {
  const has = statusCode === 304 || (statusCode === 200 && method === 'GET')
  return has && lastModified !== undefined ? lastModified : null
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
