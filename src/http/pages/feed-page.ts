import type { Request, Response } from 'express'

import { clientVerdicts } from '../../activity/client-verdict.ts'
import type { ActivityStore } from '../../domain/activity.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import { shownFeed, type FeedStore } from '../../domain/feed.ts'
import { feedKinds } from '../../domain/kinds.ts'
import { chooseSelfService, selfServiceOf } from '../../feeds/choices.ts'
import { pageUrl } from '../../feeds/feed-view.ts'
import { feedConditions } from '../../publishing/feed-condition.ts'
import { openLinkAsSet } from '../../publishing/open-link.ts'
import type { OpenLink, Publisher } from '../../publishing/publisher.ts'
import { type Limits, takePoll } from '../limits.ts'
import { isFromOwnPage } from './cross-site.ts'
import { sendMessagePage } from './error-page.ts'
import { likelyWay, ways } from './likely-way.ts'
import { basePath, type PageDeps, type PageParts, sendPage } from './page-renderer.ts'
import { type PageTimes, pageTimes } from './page-times.ts'
import { isReachable, qrCode, subscribeLinks } from './subscribe-links.ts'
import { pageLanguages } from './words/languages.ts'

const retryAfterSeconds = '300'

export interface FeedPageDeps extends PageDeps {
  readonly publisher: Publisher
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly links: Parameters<typeof openLinkAsSet>[0]
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly limits: Pick<Limits, 'polls'>
}

type FeedPageRequest = Request<{ token: string }>

/** `GET /feeds/{token}`: the page of the person whose calendar it is; 503 while no calendar may be served. */
export function showFeedPage(deps: FeedPageDeps) {
  return async (request: FeedPageRequest, response: Response): Promise<void> => {
    const { token } = request.params
    const asSet = await openLinkAsSet(deps.links, token)
    takePoll(deps.limits, asSet.link)
    const open = { ...asSet, feed: shownFeed(asSet.feed) }
    const { feed } = open
    const times = pageTimes(deps.links.clock.now(), feed.timezone, feed.locale)
    const conditions = await findConditions(deps, open)
    const isServed = conditions.every(({ about }) => about !== 'unavailable')
    if (!isServed) response.status(503).setHeader('Retry-After', retryAfterSeconds)
    const words = pageLanguages[feed.locale]
    sendPage(deps, response, {
      template: 'feed',
      ...partsOf(feed.locale),
      ...(await viewLinks(deps, open, token)),
      ...viewWays(request, deps.publicUrl),
      locale: feed.locale,
      name: feed.name,
      ...viewContents(open),
      conditions: conditions.map((condition) => words.condition(condition, times)),
      ...(isServed ? {} : { previewAddress: null }),
      selfService: isEnding(asSet) ? null : selfServiceOf(asSet.feed),
      saved: request.query['saved'] !== undefined,
      verdicts: await viewVerdicts(deps, open, times),
    })
  }
}

/** `POST /feeds/{token}`: keeps what the person chose and leads back to the page (RFC 9110 section 15.4.4). */
export function changeFeedPage(deps: FeedPageDeps) {
  return async (request: FeedPageRequest, response: Response): Promise<void> => {
    if (!isFromOwnPage(request.headers, deps.publicUrl)) {
      const refusal = { status: 403, about: 'foreign_request' } as const
      return sendMessagePage(deps, request, response, refusal)
    }
    const { token } = request.params
    const open = await openLinkAsSet(deps.links, token)
    takePoll(deps.limits, open.link)
    if (isEnding(open)) throw new AppError('forbidden', 'This address is about to end.')
    await chooseSelfService(deps.feeds, open.feed.id, formOf(request))
    response.setHeader('Cache-Control', 'no-store')
    response.redirect(303, `${pageUrl(basePath(deps.publicUrl), token)}?saved`)
  }
}

/** Another link has taken its place, perhaps since strangers know it: it only shows. */
function isEnding({ link }: OpenLink): boolean {
  return link.endsAt !== null
}

/** The form's fields; any other body would read as a form with every switch off. */
function formOf(request: FeedPageRequest): object {
  if (request.is('application/x-www-form-urlencoded')) return { ...request.body }
  throw new AppError('unsupported_media_type', 'The choice must be sent as a form.')
}

async function findConditions(
  { publisher }: FeedPageDeps,
  open: OpenLink,
): Promise<ReturnType<typeof feedConditions>> {
  try {
    const state = await publisher.assess(open)
    return feedConditions(open, state, await publisher.setAside(state))
  } catch (error) {
    if (!asAppError(error)) throw error
    return feedConditions(open, null, [])
  }
}

function partsOf(locale: string): Required<PageParts> {
  const language = locale === 'de' ? (['fullcalendar-de.js'] as const) : []
  return {
    styles: ['fullcalendar.css', 'fullcalendar-theme.css', 'calendar.css'],
    scripts: ['fullcalendar.js', 'fullcalendar-theme.js', ...language],
    modules: ['feed-page.js', 'preview.js'],
  }
}

async function viewLinks(
  { publicUrl }: FeedPageDeps,
  { feed }: OpenLink,
  token: string,
): Promise<object> {
  const links = subscribeLinks(publicUrl, token, feed.name)
  return {
    links,
    qrCode: await qrCode(links.apple),
    previewAddress: new URL(links.address).pathname,
    action: pageUrl(basePath(publicUrl), token),
  }
}

function viewWays({ headers }: FeedPageRequest, publicUrl: string): object {
  const reachable = isReachable(publicUrl)
  const primary = likelyWay(headers, reachable)
  return { reachable, primary, others: ways.filter((way) => way !== primary) }
}

function viewContents({ feed }: OpenLink): object {
  const words = pageLanguages[feed.locale]
  const kindNames = feedKinds
    .filter((kind) => feed.options[kind].show)
    .map((kind) => words.kinds[kind])
  return { kindNames, holds: words.holds(kindNames, feed.audience) }
}

async function viewVerdicts(
  { activity }: FeedPageDeps,
  { link, feed }: OpenLink,
  times: PageTimes,
): Promise<readonly object[]> {
  const { clients, verdict } = pageLanguages[feed.locale].activity
  return clientVerdicts(link, await activity.listActivity([feed.id])).map((it) => ({
    client: clients[it.client],
    text: verdict(it, times),
  }))
}
