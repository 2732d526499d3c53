import type { Response } from 'express'

import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { pageUrl } from '../feeds/feed-address.ts'
import { endedCalendar } from '../publishing/ended-calendar.ts'
import { type EndedLink, openCalendar, type OpenLink } from '../publishing/open-link.ts'
import type { CalendarForm } from '../publishing/publication.ts'
import { isNotModified, sendNotModified } from '../web/conditional-request.ts'
import {
  type FeedRequest,
  isDownload,
  sendCalendar,
  setCommonHeaders,
  setStaleness,
} from './feed-answers.ts'
import type { HttpDeps } from './http-deps.ts'
import { takePoll } from './limits.ts'
import { basePath } from './pages/page-renderer.ts'

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
