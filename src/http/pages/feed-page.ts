import type { Request, Response } from 'express'

import { clientStates } from '../../domain/activity.ts'
import { asAppError } from '../../domain/errors.ts'
import { shownFeed } from '../../domain/feed-options.ts'
import type { Locale } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import { offerChoices } from '../../feeds/choices.ts'
import { pageUrl } from '../../feeds/feed-address.ts'
import { feedConditions } from '../../publishing/feed-condition.ts'
import { kindName } from '../../publishing/kind-names.ts'
import { type OpenLink, openLinkAsSet } from '../../publishing/open-link.ts'
import type { HttpDeps } from '../http-deps.ts'
import { takePoll } from '../limits.ts'
import { isOnPhone, likelyWay, ways } from './likely-way.ts'
import { basePath, type PageDeps, type PageParts, sendPage } from './page-renderer.ts'
import { type PageTimes, pageTimes } from './page-times.ts'
import { askedLanguage, languageQuery } from './preferred-language.ts'
import { readerLocale } from './reader-locale.ts'
import { sayCondition } from './say-condition.ts'
import { isReachable, qrCode, subscribeLinks } from './subscribe-links.ts'
import { pageLanguages } from './words/languages.ts'
import type { PageWords } from './words/words.ts'

const retryAfterSeconds = '300'
const monthStyles = ['fullcalendar.css', 'fullcalendar-theme.css'] as const
const monthScripts = ['fullcalendar.js', 'fullcalendar-theme.js'] as const

type FeedPageDeps = PageDeps & Pick<HttpDeps, 'publisher' | 'links' | 'activity' | 'limits'>

export type FeedPageRequest = Request<{ token: string }>

/**
 * `GET /feeds/{token}`: the page of the person whose calendar it is; 503 while no calendar may be served. It is written in
 * the calendar's language or, with `?lang`, in another. Its head names nobody, since chat programs fetch it for what they
 * show beside a shared link: a script gives the browser's tab the calendar's name.
 */
export function showFeedPage(deps: FeedPageDeps) {
  return async (request: FeedPageRequest, response: Response): Promise<void> => {
    const { token } = request.params
    const asSet = await openLinkAsSet(deps.links, token)
    takePoll(deps.limits, asSet.link)
    const open = { ...asSet, feed: shownFeed(asSet.feed) }
    const { name, timezone } = open.feed
    const asked = askedLanguage(request)
    const locale = asked ?? open.feed.locale
    const words = pageLanguages[locale]
    const reader = readerLocale(request, words.language)
    const times = pageTimes(deps.links.clock.now(), timezone, reader.tag)
    const conditions = await findConditions(deps, open)
    const isServed = conditions.every(({ about }) => about !== 'unavailable')
    if (!isServed) response.status(503).setHeader('Retry-After', retryAfterSeconds)
    sendPage(deps, response, {
      template: 'feed',
      ...partsOf(words),
      ...(await viewLinks(deps, open, token)),
      action: pageUrl(basePath(deps.publicUrl), token) + languageQuery('?', asked),
      ...viewWays(request, deps.publicUrl),
      locale,
      reader,
      name,
      timezone,
      calendarLocale: open.feed.locale,
      ...viewContents(open, locale),
      conditions: conditions.map((it) => ({ ...sayCondition(it, locale, times), about: it.about })),
      ...(isServed ? {} : { previewAddress: null }),
      selfService: isEnding(asSet) ? null : offerChoices(asSet.feed),
      saved: request.query['saved'] !== undefined,
      verdicts: await viewVerdicts(deps, open, words, times),
    })
  }
}

/** Another link has taken its place, perhaps since strangers know it: it only shows. */
export function isEnding({ link }: OpenLink): boolean {
  return link.endsAt !== null
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

function partsOf({ calendarScripts }: PageWords): Required<PageParts> {
  return {
    styles: ['calendar.css'],
    scripts: [],
    modules: ['feed-page.js', 'preview.js'],
    wide: [...monthStyles, ...monthScripts, ...calendarScripts],
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
    pageAddress: pageUrl(publicUrl, token),
    previewAddress: new URL(links.address).pathname,
  }
}

function viewWays({ headers }: FeedPageRequest, publicUrl: string): object {
  const reachable = isReachable(publicUrl)
  const primary = likelyWay(headers, reachable)
  const others = ways.filter((way) => way !== primary)
  return { reachable, primary, others, onPhone: isOnPhone(headers) }
}

function viewContents({ feed: { options, audience } }: OpenLink, locale: Locale): object {
  const nameOf = (kind: FeedKind): string => kindName(kind, locale)
  const kindNames = feedKinds.filter((kind) => options[kind].show).map(nameOf)
  return { kindName: nameOf, kindNames, holds: pageLanguages[locale].holds(kindNames, audience) }
}

async function viewVerdicts(
  { activity }: FeedPageDeps,
  { link, feed }: OpenLink,
  { activity: { clients, verdict } }: PageWords,
  times: PageTimes,
): Promise<readonly object[]> {
  return clientStates(link, await activity.listActivity([feed.id])).map((it) => ({
    client: clients[it.client],
    text: verdict(it, times),
  }))
}
