/* CalDAV (RFC 4791), read-only: each link is an account with one calendar. */
import type { Request, RequestHandler, Response } from 'express'

import { vcalendarOf } from '../calendar/render.ts'
import type { Brand } from '../domain/brand.ts'
import { AppError, asAppError, StoreUnavailable } from '../domain/errors.ts'
import { type FeedLink, nameOfToken, syncName } from '../domain/link.ts'
import type { Instant, Log } from '../domain/world.ts'
import {
  type CalendarObjects,
  type PublicationName,
  readObjects,
} from '../publishing/calendar-objects.ts'
import { openCalendar } from '../publishing/open-link.ts'
import {
  answerPoll,
  type FollowedPoll,
  type PollAnswer,
  type PollDeps,
} from '../publishing/poll.ts'
import { type CalendarValidators, EncodedBody } from '../publishing/publication.ts'
import type { ReadyAnswer } from '../publishing/ready-answers.ts'
import { isNotModified, sendNotModified, streamedCodingFor } from '../web/conditional-request.ts'
import type { IncomingMessage, ServerResponse } from '../web/listen.ts'
import { setRetryAfter, statusOf } from '../web/problem.ts'
import { bodyOf, singleBytesMax } from '../web/request-body.ts'
import { addressKey, type RequestLimit } from '../web/request-limit.ts'
import { findObject, multistatus, type Need, needOf, nothingAt } from './answers.ts'
import { LargeAnswers } from './large-answers.ts'
import { challenge, isProtected, passwordOf, type ProtectionDeps } from './password.ts'
import { Hrefs, pathOf, type Place, placeOf, routeOf } from './places.ts'
import { PreconditionFailed, readOnly, unknownReport } from './preconditions.ts'
import { type Account, objectType } from './properties.ts'
import { type Question, readPropfind, readReport } from './questions.ts'
import { davTag, documentOf } from './xml.ts'

export interface DavDeps extends PollDeps, ProtectionDeps {
  readonly brandOf: (companyId: string) => Pick<Brand, 'color'>
  readonly limits: {
    /** Requests of each link's account. */
    readonly accounts: RequestLimit
    readonly unknownTokens: RequestLimit
  }
  /** Counts, records and logs the request once it is answered, with what the result says by then. */
  readonly follow: (request: IncomingMessage, response: ServerResponse) => FollowedPoll
  readonly log: Log
}

/** Headers of every answer. */
export const commonHeaders: readonly (readonly [name: string, value: string])[] = [
  ['DAV', '1, 3, calendar-access'],
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
]
export const xmlType = 'application/xml; charset=utf-8'
/** If the company has none. */
const defaultColor = '#3788d8'
const retryAfterSeconds = '120'
/** An answer counts as one more request for each such part: a large one takes as long as dozens of small ones. */
const lengthPerRequest = 32 * 1024
/** Compression gains nothing below one packet. */
const packetBytes = 1400

/** What `answerPollsReady` has read of requests that it passes on. */
export const readBefore = new WeakMap<
  IncomingMessage,
  { readonly body: Uint8Array; readonly at: Instant }
>()

/** Everything below `/dav/`, and `/.well-known/caldav`. */
export function serveDav(deps: DavDeps): RequestHandler {
  const hrefs = hrefsOf(deps)
  const largeAnswers = new LargeAnswers()
  return async (request, response, next) => {
    const route = routeOf(request.url)
    if (!route) return next()
    for (const [name, value] of commonHeaders) response.setHeader(name, value)
    if (route === 'well-known') {
      response.setHeader('Location', hrefs.principal)
      response.status(308).end()
      return
    }
    const followed = deps.follow(request, response)
    const cameAt = readBefore.get(request)?.at ?? deps.clock.now()
    const exchange = { deps, hrefs, request, response, followed, cameAt, largeAnswers }
    try {
      await answer(exchange)
    } catch (error) {
      await sendError(exchange, error)
    }
  }
}

interface Exchange {
  readonly deps: DavDeps
  readonly hrefs: Hrefs
  readonly request: Request
  readonly response: Response
  readonly followed: FollowedPoll
  readonly cameAt: Instant
  readonly largeAnswers: LargeAnswers
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, deps } = exchange
  if (!isProtected(request, deps)) {
    throw new AppError('forbidden', 'A password must not be sent over plain http: use https.')
  }
  const password = passwordOf(request.headers)
  if (password === undefined) return sendChallenge(response)
  const opened = await openAccount(exchange, password)
  const { method } = request
  const path = pathOf(request.url)
  const isReport = method === 'REPORT'
  if (!isReport && !readingMethods.has(method)) throw readOnly(exchange.hrefs.ofPath(path))
  const place = placeOf(path)
  if (!place || ('feedId' in place && place.feedId !== opened.account.feedId)) throw nothingAt()
  const taken = allowed[place.kind]
  if (method === 'OPTIONS' || (!isReport && !taken.includes(method))) {
    response.setHeader('Allow', taken.join(', '))
    response.status(method === 'OPTIONS' ? 200 : 405).end()
  } else if (place.kind === 'event' && (method === 'GET' || method === 'HEAD')) {
    await sendEvent(exchange, opened, place)
  } else await answerQuestion(exchange, opened, place)
}

const readingMethods = new Set(['OPTIONS', 'GET', 'HEAD', 'PROPFIND'])

const allowed: Readonly<Record<Place['kind'], readonly string[]>> = {
  principal: ['OPTIONS', 'PROPFIND'],
  home: ['OPTIONS', 'PROPFIND'],
  calendar: ['OPTIONS', 'PROPFIND', 'REPORT'],
  event: ['OPTIONS', 'GET', 'HEAD', 'PROPFIND'],
}

/** The account of a link that has not ended. */
interface Opened {
  readonly password: string
  readonly account: Account
  /** Its ready answer, if there is one. */
  readonly ready: ReadyAnswer | undefined
}

/** Fails as the password's link does: `not_found`, `gone` or `unavailable`. Reads nothing of the calendar. */
async function openAccount(exchange: Exchange, password: string): Promise<Opened> {
  const { deps, followed, hrefs, cameAt } = exchange
  const name = nameOfToken(password)
  const { deadline, limits } = deps
  const opening = async (): Promise<Pick<ReadyAnswer, 'link' | 'feed'>> => {
    const found = await openCalendar(deps.links, password, (link) => {
      followed.link = link
    })
    if ('endedAt' in found) throw new AppError('gone', 'This calendar has ended.')
    return found
  }
  const finding = deps.ready.find(name, 'objects')?.catch(() => undefined)
  const ready = finding && (await deadline.within(cameAt, finding))
  const { link, feed } =
    ready ?? (await foundOrLast(deps, name, deadline.within(cameAt, opening())))
  followed.link = link
  limits.accounts.take(name)
  return { password, ready, account: accountOf(deps, hrefs, link, feed) }
}

/** While the store does not answer, a last answer to the link proves the password. */
async function foundOrLast(
  { ready }: DavDeps,
  name: string,
  opening: Promise<Pick<ReadyAnswer, 'link' | 'feed'> | undefined>,
): Promise<Pick<ReadyAnswer, 'link' | 'feed'>> {
  let reason: unknown = new AppError('unavailable', 'The calendar is not ready yet. Try again.')
  try {
    const opened = await opening
    if (opened) return opened
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    reason = error
  }
  const last = ready.findLast(name, 'objects')
  if (!last) throw reason
  return last.answer
}

export function hrefsOf({ publicUrl }: Pick<DavDeps, 'publicUrl'>): Hrefs {
  return new Hrefs(new URL(publicUrl).pathname.replace(/\/$/, ''))
}

export function accountOf(
  { brandOf }: DavDeps,
  hrefs: Hrefs,
  { feedId }: FeedLink,
  { name, timezone, companyId }: ReadyAnswer['feed'],
): Account {
  return { hrefs, feedId, name, timezone, color: brandOf(companyId).color ?? defaultColor }
}

async function answerQuestion(exchange: Exchange, opened: Opened, place: Place): Promise<void> {
  const { deps, request, followed, largeAnswers } = exchange
  const body = readBefore.get(request)?.body ?? (await bodyOf(request, singleBytesMax))
  const question = readQuestion(request, body, place)
  const link = nameOfToken(opened.password)
  largeAnswers.refuseMore(link)
  const calendar = await readCalendar(exchange, opened, (served) => needOf(question, place, served))
  // Other requests may have been answered meanwhile.
  largeAnswers.refuseMore(link)
  const text = multistatus(question, { account: opened.account, place, ...calendar })
  if (question.kind !== 'propfind') followed.lastModified = calendar.served?.at
  deps.limits.accounts.count(link, Math.floor(text.length / lengthPerRequest))
  largeAnswers.note(link, text.length, exchange.response)
  await sendXml(exchange, 207, text)
}

export function readQuestion(
  { method, headers }: IncomingMessage,
  body: Uint8Array,
  place: Place,
): Question {
  if (method === 'PROPFIND') return readPropfind(headers, body)
  const question = readReport(headers, body)
  if (place.kind !== 'calendar') throw unknownReport()
  return question
}

async function sendEvent(
  exchange: Exchange,
  opened: Opened,
  place: Extract<Place, { kind: 'event' }>,
): Promise<void> {
  const { request, response } = exchange
  const { objects } = await readCalendar(exchange, opened, () => 'objects')
  const object = findObject(objects, place)
  if (!object) throw nothingAt()
  const { etag } = object
  if (isNotModified(request.headers, { etag })) return sendNotModified(response, { etag })
  const bytes = Buffer.from(vcalendarOf(object.vevent))
  // Not compressed: that would need another strong ETag than PROPFIND gives (RFC 9110 section 8.8.3.3).
  const headers = { ETag: etag, 'Content-Type': objectType, 'Content-Length': bytes.length }
  response.writeHead(200, headers).end(bytes)
}

interface CalendarRead {
  readonly served?: PublicationName
  readonly objects?: CalendarObjects
  readonly isConfirmed?: boolean
}

/** Reads as much of the calendar as is needed, refreshed as for a poll. */
async function readCalendar(
  { deps, response, followed, cameAt }: Exchange,
  { password: token, ready }: Opened,
  need: (served: PublicationName | undefined) => Need,
): Promise<CalendarRead> {
  if (need(undefined) === 'account') return {}
  const isEnough = (link: FeedLink, validators: CalendarValidators): boolean =>
    need(servedBy(link, validators)) !== 'objects'
  const isReady = ready && (ready.body !== null || isEnough(ready.link, ready.validators))
  followed.ready = isReady === true
  let link: FeedLink | undefined
  const answered: ReadyAnswer & Partial<PollAnswer> = isReady
    ? ready
    : await answerPoll(deps, {
        token,
        form: 'objects',
        cameAt,
        count: () => undefined,
        onFound: (found) => {
          link = found
        },
        isKnown: (validators) => link !== undefined && isEnough(link, validators),
        isProgram: () => true,
        answerEnded: () => Promise.reject(new AppError('gone', 'This calendar has ended.')),
      })
  const { staleForMs = null, isConfirmed = true } = answered
  if (staleForMs !== null) {
    response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
  }
  const served = servedBy(answered.link, answered.validators)
  if (need(served) !== 'objects' || !answered.body) return { served }
  return { served, objects: await objectsIn(answered.body), isConfirmed }
}

let lastRead: { readonly body: EncodedBody; readonly objects: CalendarObjects } | undefined

/** Keeps those read last, since some clients fetch events one by one. */
async function objectsIn(body: EncodedBody): Promise<CalendarObjects> {
  if (lastRead?.body === body) return lastRead.objects
  const objects = readObjects(await body.decoded())
  lastRead = { body, objects }
  return objects
}

export function servedBy(
  link: FeedLink,
  { lastModified = 0 }: CalendarValidators,
): PublicationName {
  return { link: syncName(link), at: lastModified }
}

function sendChallenge(response: Response): void {
  response.setHeader('WWW-Authenticate', challenge)
  const text = "The password is the secret in the calendar's address.\n"
  response.status(401).type('text/plain').send(text)
}

async function sendXml(
  { request, response }: Exchange,
  status: number,
  text: string,
): Promise<void> {
  response.status(status).setHeader('Content-Type', xmlType)
  const isCompressed =
    text.length > packetBytes && streamedCodingFor(request.headers['accept-encoding']) === 'gzip'
  if (!isCompressed) {
    response.end(text)
    return
  }
  const body = await (await EncodedBody.of(text)).in('gzip')
  response.setHeader('Content-Encoding', 'gzip')
  response.setHeader('Content-Length', body.length)
  response.end(body)
}

/**
 * An unknown or ended link is 401: clients ask for another password and keep their events. After 404 or 410 some would remove
 * the calendar, and others would ask for ever. Nothing temporary may be a 4xx except 429, since Thunderbird then drops its
 * sync token.
 */
async function sendError(exchange: Exchange, thrown: unknown): Promise<void> {
  const { deps, request, response, followed } = exchange
  let error = asAppError(thrown)
  if (error?.code === 'not_found' && !followed.link) {
    error = countUnknown(exchange) ?? new AppError('unauthorized', 'The password is wrong.')
  }
  if (!error)
    deps.log.error({ method: request.method, route: 'dav', error: thrown }, 'request_failed')
  if (response.headersSent) {
    response.destroy()
    return
  }
  if (error instanceof PreconditionFailed) {
    return sendXml(exchange, 403, documentOf(davTag('error', error.condition)))
  }
  const isRefused = error?.code === 'unauthorized' || error?.code === 'gone'
  const known = error ? statusOf(error) : 500
  const status = isRefused ? 401 : known
  if (isRefused) response.setHeader('WWW-Authenticate', challenge)
  if (status === 503) response.setHeader('Retry-After', retryAfterSeconds)
  if (error) setRetryAfter(response, error)
  const text = error?.message ?? 'Something went wrong. Try again later.'
  response.status(status).type('text/plain').send(`${text}\n`)
}

function countUnknown({ deps, request }: Exchange): AppError | undefined {
  try {
    deps.limits.unknownTokens.take(addressKey(request))
    return undefined
  } catch (tooMany) {
    return asAppError(tooMany)
  }
}
