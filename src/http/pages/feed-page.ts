import type { Request, Response } from 'express'

import { clientStates } from '../../domain/activity.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Locale } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import { type Choices, linkName, shownFeed } from '../../domain/link.ts'
import { makeReplacementKey } from '../../domain/links/replacement.ts'
import { pageUrl } from '../../feeds/feed-address.ts'
import { mayGiveUp, isHeld } from '../../feeds/holding/link-holding.ts'
import { formAsMade, offerChoices } from '../../feeds/holding/offered-choices.ts'
import { feedConditions } from '../../publishing/feed-condition.ts'
import type { FirstDays } from '../../publishing/first-days.ts'
import { kindName } from '../../publishing/kind-names.ts'
import { type OpenLink, openLinkAsSet } from '../../publishing/open-link.ts'
import { isolated } from '../../text/isolated-text.ts'
import type { HttpDeps } from '../http-deps.ts'
import { sayAnother } from './another-link.ts'
import { isOnPhone, likelyWay, ways } from './likely-way.ts'
import { basePath, type PageDeps, type PageParts, sendPage } from './page-renderer.ts'
import { type PageTimes, pageTimes } from './page-times.ts'
import { askedLanguage, languageQuery } from './preferred-language.ts'
import { readerLocale, writtenAs } from './reader-locale.ts'
import { sayCondition } from './say-condition.ts'
import { isReachable, qrCode, subscribeLinks } from './subscribe-links.ts'
import { viewDays } from './view-days.ts'
import { pageLanguages } from './words/languages.ts'
import { localeNames } from './words/link-words.ts'
import type { PageWords } from './words/words.ts'

const retryAfterSeconds = '300'
const monthStyles = ['fullcalendar.css', 'fullcalendar-theme.css'] as const
const monthScripts = ['fullcalendar.js', 'fullcalendar-theme.js'] as const

/** What the page is made with. */
export type FeedPageDeps = PageDeps &
  Pick<HttpDeps, 'access' | 'publisher' | 'links' | 'activity' | 'limits'>

export type FeedPageRequest = Request<{ token: string }>

/**
 * `GET /feeds/{token}`: the page of the person whose calendar it is; 503 while no calendar may be served. It is written in
 * the calendar's language or, with `?lang`, in another. Its head names nobody, since chat programs fetch it for what they
 * show beside a shared link: a script gives the browser's tab the calendar's name.
 */
export function showFeedPage(deps: FeedPageDeps) {
  return async (request: FeedPageRequest, response: Response): Promise<void> => {
    const asSet = await openLinkAsSet(deps.links, request.params.token)
    deps.limits.polls.take(linkName(asSet.link))
    await sendFeedPage(deps, { request, response, asSet })
  }
}

/** A request for the page of an open link, its feed as HR set it. */
export interface OpenPage {
  readonly request: FeedPageRequest
  readonly response: Response
  readonly asSet: OpenLink
}

/** A form that was not taken, with what had been chosen in it. */
export interface RefusedForm {
  readonly form: 'choices' | 'replace' | 'end'
  readonly choices?: Choices
}

/** Answers with that page; with a sentence beside a form that was refused, and status 400. */
export async function sendFeedPage(
  deps: FeedPageDeps,
  { request, response, asSet }: OpenPage,
  refused: RefusedForm | null = null,
): Promise<void> {
  const open = { ...asSet, feed: shownFeed(asSet.feed, asSet.link) }
  const { timezone } = open.feed
  const locale = pageLocale(request, asSet)
  const words = pageLanguages[locale]
  const reader = readerLocale(request, words.language)
  const language = writtenAs(reader.tag)
  const times = pageTimes(deps.links.clock.now(), timezone, language)
  const { conditions, firstDays } = await lookAt(deps, open)
  const isServed = conditions.every(({ about }) => about !== 'unavailable')
  if (!isServed) response.status(503).setHeader('Retry-After', retryAfterSeconds)
  if (refused) response.status(400)
  const { token } = request.params
  sendPage(deps, response, {
    template: 'feed',
    ...partsOf(words),
    ...(await viewLinks(deps, open, token)),
    action: pageUrl(basePath(deps.publicUrl), token) + languageQuery('?', askedLanguage(request)),
    ...viewWays(request, deps.publicUrl, isServed),
    locale,
    reader,
    timezone,
    calendarLocale: open.feed.locale,
    ...viewContents(open, locale),
    conditions: conditions.map((it) => ({ ...sayCondition(it, locale, times), about: it.about })),
    ...(isServed ? {} : { previewAddress: null }),
    firstDays: firstDays && viewDays(firstDays, language, words.preview),
    ...viewForms(asSet, refused),
    another: sayAnother(deps, asSet, words),
    saved: request.query['saved'] !== undefined,
    verdicts: await viewVerdicts(deps, open, words, times),
  })
}

/** The language that the page is asked for in, else that of the calendar. */
export function pageLocale(
  request: FeedPageRequest,
  { feed, link }: Pick<OpenLink, 'feed' | 'link'>,
): Locale {
  return askedLanguage(request) ?? shownFeed(feed, link).locale
}

/** What the holder of the link may change of it. */
function viewForms(asSet: OpenLink, refused: RefusedForm | null): object {
  const { feed, link } = asSet
  const kept = isHeld(link) ? offerChoices(feed, link.choices) : null
  const selfService = kept && refused?.choices ? offerChoices(feed, refused.choices) : kept
  const from = kept && formAsMade(kept)
  const forms = { selfService, from, localeNames, mayGiveUp: mayGiveUp(asSet) }
  return { ...forms, replacementKey: makeReplacementKey(), refused: refused?.form ?? null }
}

/** What is to be said of the calendar, and what its first days hold where it can be served. */
async function lookAt({ publisher }: FeedPageDeps, open: OpenLink): Promise<Look> {
  try {
    const state = await publisher.assess(open)
    const { setAside = [], firstDays } = { ...(await publisher.glance(state)) }
    return { conditions: feedConditions(open, state, setAside), firstDays }
  } catch (error) {
    if (!asAppError(error)) throw error
    return { conditions: feedConditions(open, null, []) }
  }
}

interface Look {
  readonly conditions: ReturnType<typeof feedConditions>
  readonly firstDays?: FirstDays | undefined
}

function partsOf({ calendarScripts }: PageWords): Required<PageParts> {
  return {
    styles: ['calendar.css'],
    scripts: [],
    modules: ['feed-page.js', 'preview.js'],
    wide: [...monthStyles, ...monthScripts, ...calendarScripts],
  }
}

/** The calendar's name, and the ways to it by that secret. */
export async function viewLinks(
  { publicUrl }: PageDeps,
  { feed }: Pick<OpenLink, 'feed'>,
  token: string,
): Promise<object> {
  const links = subscribeLinks(publicUrl, token, feed.name)
  const pageAddress = pageUrl(publicUrl, token)
  return {
    name: isolated(feed.name),
    links,
    qrCode: await qrCode(links.apple),
    pageAddress,
    pageCode: await qrCode(pageAddress),
    previewAddress: new URL(links.address).pathname,
  }
}

/** The way that suits the reader's device, and the others: a copy only of what is served. */
export function viewWays(
  { headers }: Pick<Request, 'headers'>,
  publicUrl: string,
  isServed: boolean,
): object {
  const reachable = isReachable(publicUrl)
  const primary = likelyWay(headers, reachable)
  const others = ways.filter((way) => way !== primary && (isServed || way !== 'download'))
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
