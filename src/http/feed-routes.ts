/* Serves calendars to calendar programs, and the same events as JSON. */
import { create as contentDisposition } from 'content-disposition'
import type { Request, RequestHandler, Response } from 'express'

import { clientFamily } from '../activity/activity-recorder.ts'
import type { DavDeps } from '../dav/dav-routes.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import { type FeedLink, nameOfToken } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { pageUrl } from '../feeds/feed-view.ts'
import { answerPoll, type FollowedPoll, type Poll } from '../publishing/poll.ts'
import type { ReadyAnswer } from '../publishing/ready-answers.ts'
import { endedCalendar } from '../publishing/written-once.ts'
import {
  codingFor,
  dated,
  headersOf,
  isNotModified,
  sendNotModified,
  sendRepresentation,
} from '../web/conditional-request.ts'
import type { IncomingMessage, RequestListener, ServerResponse } from '../web/listen.ts'
import { setRetryAfter, statusOf } from '../web/problem.ts'
import type { CountedRoute, HttpDeps } from './http-deps.ts'
import { basePath } from './pages/page.ts'

type FeedRequest = Request<{ token: string; name: string }>

/**
 * Headers of every feed response. The address is secret: search engines may not index it, nor shared caches store it.
 * Clients may cache it for five minutes; every content coding holds the same calendar. Other origins may not embed it. That
 * costs browser programs nothing: without CORS they could not read it, and the page's preview has this origin. Opened as a
 * document, it has an origin of its own and runs no scripts, whatever its texts contain.
 */
const commonHeaders: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'private, max-age=300'],
  ['Vary', 'Accept-Encoding'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Robots-Tag', 'noindex, nofollow'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Content-Security-Policy', 'sandbox'],
]

type FeedForm = 'ics' | 'json'

const types: Readonly<Record<FeedForm, string>> = {
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** Default `Retry-After`. */
const retryAfterSeconds = '120'

/**
 * `GET, HEAD /feeds/{token}/{name}.ics` and `.json`. Calendar clients delete what a response lacks, so it is complete or an
 * error. Ignores `Accept`, which Google omits, and `Authorization`, where Outlook may send a password of its own. The user
 * agent changes nothing. Only a browser that opens the `.ics` as a document (Fetch Metadata, `Sec-Fetch-Dest`) is
 * redirected to the page. A tap there subscribes instead of importing a copy that never changes.
 */
export function serveCalendar(
  deps: HttpDeps,
  form: FeedForm,
): RequestHandler<FeedRequest['params']> {
  return async (request, response) => {
    setCommonHeaders(response)
    if (form === 'ics' && request.headers['sec-fetch-dest'] === 'document' && !isDownload(request))
      return sendToPage(deps.publicUrl, request, response)
    const polled = followPoll(deps, request, response)
    const answer = await answerPoll(deps, pollOf(deps, request, polled, form))
    const { body, staleForMs, validators: kept } = answer
    const validators = dated(kept, deps.clock.now())
    polled.lastModified = validators.lastModified
    // Age of the calendar while the Read API or the store is unavailable, also on a 304.
    if (staleForMs !== null) {
      response.setHeader('X-Feed-Stale-Seconds', String(Math.floor(staleForMs / 1000)))
    }
    if (!body) return sendNotModified(response, validators)
    const use = isDownload(request) ? 'attachment' : 'inline'
    await sendRepresentation(request, response, {
      validators,
      body,
      type: types[form],
      ...(form === 'ics' ? { disposition: calendarDisposition(use, request.params.name) } : {}),
    })
  }
}

function setCommonHeaders(response: Response): void {
  for (const [name, value] of commonHeaders) response.setHeader(name, value)
}

function isDownload({ query }: FeedRequest): boolean {
  return query['download'] !== undefined
}

/** The page reports the state of the address, so it is neither looked up nor counted here. */
function sendToPage(publicUrl: string, { params }: FeedRequest, response: Response): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Vary', 'Sec-Fetch-Dest')
  response.setHeader('Location', pageUrl(basePath(publicUrl), encodeURIComponent(params.token)))
  response.status(303).end()
}

/** Arrival times of polls passed on by `answerReady`; the routes get only the remaining time. */
const cameAt = new WeakMap<IncomingMessage, Instant>()

function pollOf(deps: HttpDeps, request: FeedRequest, polled: FollowedPoll, form: FeedForm): Poll {
  return {
    token: request.params.token,
    form,
    cameAt: cameAt.get(request) ?? deps.clock.now(),
    count: (link) => deps.limits.polls.take(link),
    onFound: (link) => {
      polled.link = link
    },
    isKnown: (validators) => isNotModified(request.headers, validators),
    isProgram: (link) => isProgram(request, form, link),
    answerEnded: (ended) => endedCalendar(ended, form),
  }
}

/**
 * Whether a calendar program sent the poll, not a browser showing a link's page. That browser may be part of a mail program
 * and use its name. A program that claims to be a browser must not lose a link that ends if unused. For such a link, only
 * requests from our own page count as a browser's.
 */
function isProgram({ headers }: FeedRequest, form: FeedForm, { endsAt }: FeedLink): boolean {
  const isOfPage = headers['sec-fetch-site'] === 'same-origin'
  if (clientFamily(headers['user-agent']) !== 'browser') return !(isOfPage && form === 'json')
  return endsAt !== null && !isOfPage
}

const jsonAddress = /\.json(?:\?|$)/

/** Counts, records and logs a poll once its response is sent. */
function followPoll(
  { recorder, metrics, log }: HttpDeps,
  request: IncomingMessage,
  response: ServerResponse,
  polled: FollowedPoll = {},
  route: CountedRoute = jsonAddress.test(request.url ?? '') ? 'events' : 'calendar',
): FollowedPoll {
  const begun = performance.now()
  response.on('finish', () => {
    const { statusCode: status } = response
    const ms = Math.round((performance.now() - begun) * 100) / 100
    const { link, ready = false, lastModified } = polled
    const userAgent = request.headers['user-agent']
    metrics.countAnswer(route, status, ms / 1000)
    metrics.countPoll({ client: clientFamily(userAgent), status, ready })
    log.debug({ route, status, ready, ms, feed: link?.feedId, label: link?.label }, 'polled')
    if (!link) return
    // A client has the calendar after a body or a 304; HEAD sends no body.
    const has = [207, 304].includes(status) || (status === 200 && request.method === 'GET')
    const hasChangeOf = has && lastModified !== undefined ? lastModified : null
    recorder.note({ link, userAgent, status, hasChangeOf, isOfAccount: route === 'dav' })
  })
  return polled
}

export function davDeps(deps: HttpDeps): DavDeps {
  return {
    ...deps,
    follow: (request, response) => followPoll(deps, request, response, {}, 'dav'),
  }
}

/** File systems truncate longer names, which loses the extension. */
const fileNameMax = 100
/**
 * All but letters of any script with their marks, digits, pictographs, space, `_` and `-`. A dot could fake another
 * extension; headers and file systems interpret separators and quotes; invisible characters can reverse the visible text.
 */
const unsafe = /[^\p{L}\p{M}\p{N}[\p{Extended_Pictographic}--\p{Cn}] _\-]+/gv

/**
 * Returns an RFC 6266 header for `{name}.{ending}`, shown inline or saved. Anyone can put any name into an address, so unsafe
 * parts become hyphens. The name is always quoted, since some clients read no other form; names outside ASCII also get
 * `filename*`.
 */
export function calendarDisposition(
  type: 'inline' | 'attachment',
  name: string,
  ending: 'ics' | 'mobileconfig' = 'ics',
): string {
  // Half of a surrogate pair is unsafe too.
  const plain = name.normalize('NFC').slice(0, fileNameMax).replaceAll(unsafe, '-')
  const safe = plain.replaceAll(/^[ _-]+|[ _-]+$/g, '') || 'calendar'
  const header = contentDisposition(`${safe}.${ending}`, { type })
  return header.replace(/filename=([^";]+)/, 'filename="$1"')
}

/** Returns the error for an address that never existed. */
export function unknownCalendar(): AppError {
  return new AppError('not_found', 'There is no such calendar.')
}

/**
 * Sends a feed error as plain text, never HTML: a calendar client could take a page for a calendar, and delete what it
 * lacks. Unknown addresses get 404 with the same bytes, whatever is wrong with them. Ended ones get 410. A calendar that
 * may not be shown now gets 503 with `Retry-After`.
 */
export function sendFeedError(response: Response, error: unknown): void {
  const known = asAppError(error)
  const status = known ? statusOf(known) : 500
  if (status === 503) response.setHeader('Retry-After', retryAfterSeconds)
  if (known) setRetryAfter(response, known)
  setCommonHeaders(response)
  if (status === 429 || status >= 500) response.setHeader('Cache-Control', 'no-store')
  response.removeHeader('ETag')
  response.removeHeader('Last-Modified')
  const text = known?.message ?? 'Something went wrong. Try again later.'
  response.status(status).type('text/plain').send(`${text}\n`)
}

/** Sends 405 (RFC 9110 section 15.5.6); `GET` and `HEAD` have their own routes. */
export const refuseMethod: RequestHandler = (_request, response) => {
  setCommonHeaders(response)
  response.setHeader('Allow', 'GET, HEAD')
  response.status(405).type('text/plain').send('A calendar is read-only.\n')
}

interface ReadyPoll {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Name of its link, which may not exist. */
  readonly link: string
  readonly name: string
  readonly form: FeedForm
  readonly cameAt: Instant
}

/** All addresses that the bridge creates match; the routes handle any other. */
const address = /^\/feeds\/(cfb_[A-Za-z0-9_-]{43})\/([a-z0-9-]{1,60})\.(ics|json)$/

/**
 * Sends ready answers before the routes, which would cost more than the answer. `routes` handle everything else, and return
 * the same for a poll.
 */
export function answerReady(deps: HttpDeps, routes: RequestListener): RequestListener {
  const contents: Contents = new WeakMap()
  return (request, response) => {
    const { method, url = '', headers } = request
    const isPoll = method === 'GET' || method === 'HEAD'
    // A browser that opens the address is redirected to its page.
    const isOpened = headers['sec-fetch-dest'] === 'document'
    const [, token, name, ending] = (isPoll && !isOpened ? address.exec(url) : null) ?? []
    if (token === undefined || name === undefined) return routes(request, response)
    const link = nameOfToken(token)
    const form = ending === 'json' ? ending : 'ics'
    const found = deps.ready.find(link, form)
    if (!found) return routes(request, response)
    const poll = { request, response, link, name, form, cameAt: deps.clock.now() } as const
    void answerWith(deps, poll, contents, found, routes)
  }
}

async function answerWith(
  deps: HttpDeps,
  poll: ReadyPoll,
  contents: Contents,
  found: Promise<ReadyAnswer | undefined>,
  routes: RequestListener,
): Promise<void> {
  // The routes handle errors and late polls.
  const passOn = (): void => {
    cameAt.set(poll.request, poll.cameAt)
    routes(poll.request, poll.response)
  }
  const waiting = deps.deadline.watch(poll.cameAt, passOn)
  const answer = await found.catch(() => undefined)
  if (deps.deadline.settle(waiting) && !(answer && sendReady(deps, poll, contents, answer)))
    passOn()
}

/** The content of a response: headers as alternating names and values, and bytes unless it is a 304. */
interface Content {
  readonly headers: string[]
  readonly bytes?: Uint8Array
}

/** By file name and accepted codings; each answer has few variants. */
type Contents = WeakMap<ReadyAnswer, Map<string, Content>>

const contentsMax = 8

/** Returns false and sends nothing if there are no bytes in that coding or the link is polled too often. */
function sendReady(
  deps: HttpDeps,
  poll: ReadyPoll,
  contents: Contents,
  answer: ReadyAnswer,
): boolean {
  const { request, response } = poll
  const { link, validators } = answer
  const has = isNotModified(request.headers, validators)
  const content = contentOf(poll, contents, answer, has)
  if (!content || !deps.limits.polls.count(poll.link)) return false
  const { lastModified } = validators
  followPoll(deps, request, response, { link, ready: true, lastModified })
  response.writeHead(has ? 304 : 200, content.headers).end(content.bytes)
  return true
}

/** Cached for equal requests, unless its date depends on the time of sending. */
function contentOf(
  poll: ReadyPoll,
  contents: Contents,
  answer: ReadyAnswer,
  has: boolean,
): Content | undefined {
  const known = contents.get(answer) ?? new Map<string, Content>()
  const key = has ? '' : `${poll.name} ${poll.request.headers['accept-encoding']}`
  const ready = known.get(key)
  if (ready) return ready
  const validators = dated(answer.validators, poll.cameAt)
  const headers = [...always, ...headersOf(validators).flat()]
  const content = has ? { headers } : withBytes(poll, answer, headers)
  const isLasting = validators === answer.validators
  if (content && isLasting && known.size < contentsMax)
    contents.set(answer, known.set(key, content))
  return content
}

const always = commonHeaders.flat()

function withBytes(
  { request, form, name }: ReadyPoll,
  answer: ReadyAnswer,
  headers: string[],
): Content | undefined {
  const coding = codingFor(request.headers['accept-encoding'])
  const bytes = answer.body?.ready.get(coding)
  if (!bytes) return undefined
  headers.push('Content-Type', types[form])
  if (form === 'ics') headers.push('Content-Disposition', calendarDisposition('inline', name))
  if (coding !== 'identity') headers.push('Content-Encoding', coding)
  headers.push('Content-Length', String(bytes.length))
  return { headers, bytes }
}
