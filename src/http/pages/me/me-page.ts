import type { Request, RequestHandler, Response } from 'express'

import type { Feed } from '../../../domain/feed.ts'
import { feedKinds } from '../../../domain/kinds.ts'
import { makeReplacementKey } from '../../../domain/links/replacement.ts'
import type { PersonInCompany } from '../../../domain/person.ts'
import { displayName } from '../../../domain/user.ts'
import { offerChoices } from '../../../feeds/holding/offered-choices.ts'
import type { FormFault } from '../../../feeds/own/wrong-form.ts'
import { kindName } from '../../../publishing/kind-names.ts'
import { isolated } from '../../../text/isolated-text.ts'
import { isVisible } from '../../../text/plain-text.ts'
import type { RequestLimit } from '../../../web/request-limit.ts'
import type { HttpDeps } from '../../http-deps.ts'
import { basePath, type PageDeps, sendPage } from '../page-renderer.ts'
import { pageTimes } from '../page-times.ts'
import { preferredLanguage } from '../preferred-language.ts'
import { readerLocale, writtenAs } from '../reader-locale.ts'
import { sayCondition } from '../say-condition.ts'
import { viewDays } from '../view-days.ts'
import { pageLanguages } from '../words/languages.ts'
import { localeNames } from '../words/link-words.ts'
import type { PageWords } from '../words/words.ts'
import { askedFeed, keptOf, meAddress } from './me-address.ts'
import { viewEnded } from './me-ended.ts'
import { viewLinks } from './me-links.ts'
import { findPerson, leadAway } from './visitor.ts'

const monthStyles = ['fullcalendar.css', 'fullcalendar-theme.css'] as const
const monthScripts = ['fullcalendar.js', 'fullcalendar-theme.js'] as const

export type MePageDeps = PageDeps &
  Pick<HttpDeps, 'access' | 'ownCalendarOf' | 'preview' | 'activity' | 'clock'>

/** A form of the page that was not taken, and why. */
export interface RefusedMeForm {
  readonly form: 'make' | 'link' | 'replace' | 'end'
  readonly about: FormFault
  /** As it was sent; of the link that it is about. */
  readonly label: string
  readonly isOnlyAway: boolean
  readonly feed: string | undefined
}

/** `GET /me`: the own calendar of the person who has signed in. */
export function showMe(deps: MePageDeps, limit: RequestLimit): RequestHandler {
  return async (request, response) => {
    const person = await findPerson(deps, request)
    if (!person) return leadAway(deps, request, response)
    limit.take(JSON.stringify(person))
    await sendMe(deps, { request, response, person })
  }
}

/** A request of a person who has signed in. */
export interface MeRequest {
  readonly request: Request
  readonly response: Response
  readonly person: PersonInCompany
}

/** Answers with that page; with a sentence beside a form that was refused, and status 400. */
export async function sendMe(
  deps: MePageDeps,
  { request, response, person }: MeRequest,
  refused: RefusedMeForm | null = null,
): Promise<void> {
  const locale = preferredLanguage(request)
  const own = deps.ownCalendarOf(person)
  const asked = refused?.feed ?? askedFeed(request)
  const [feeds, found] = [await own.list(), await own.find(asked)]
  const base = basePath(deps.publicUrl)
  const shown = {
    locale,
    referrer: 'same-origin',
    who: await nameOf(deps, person),
    action: meAddress(deps, request, asked),
    kept: keptOf(asked),
    signOut: `${base}/sign-out`,
    key: makeReplacementKey(),
    refused,
    saved: request.query['saved'] !== undefined,
  } as const
  response.vary('Accept-Language').setHeader('Cache-Control', 'no-store')
  if (refused) response.status(400)
  if (!found) {
    const ended = viewEnded(await own.findEnded(), request, deps.clock.now())
    return sendPage(deps, response, { ...shown, ...ended, template: 'me-new' })
  }
  const { feed, links } = found
  const others = feeds
    .filter(({ id }) => id !== feed.id)
    .map(({ id, name }) => ({ name: isolated(name), address: meAddress(deps, request, id) }))
  sendPage(deps, response, {
    ...shown,
    template: 'me',
    ...parts(pageLanguages[locale]),
    ...(await viewCalendar(deps, request, feed)),
    ...viewSettings(feed),
    others,
    links: await viewLinks(deps, { feed, links, locale, request }),
  })
}

function parts({ calendarScripts }: PageWords): object {
  return {
    styles: ['calendar.css'],
    modules: ['feed-page.js', 'preview.js'],
    wide: [...monthStyles, ...monthScripts, ...calendarScripts],
  }
}

async function nameOf(
  { access }: Pick<HttpDeps, 'access'>,
  { companyId, userId }: PersonInCompany,
): Promise<string> {
  const found = await access.peopleByMail.findById(userId)
  const known = found.find((it) => it.companyId === companyId)
  const name = displayName(known && { firstName: known.firstName, lastName: known.lastName })
  return isolated(isVisible(name) ? name : userId)
}

async function viewCalendar(deps: MePageDeps, request: Request, feed: Feed): Promise<object> {
  const locale = preferredLanguage(request)
  const words = pageLanguages[locale]
  const reader = readerLocale(request, words.language)
  const language = writtenAs(reader.tag)
  const times = pageTimes(deps.clock.now(), feed.timezone, language)
  const { text, conditions, firstDays } = await deps.preview(feed)
  const kindNames = feedKinds
    .filter((kind) => feed.options[kind].show)
    .map((kind) => kindName(kind, locale))
  return {
    name: isolated(feed.name),
    timezone: feed.timezone,
    calendarLocale: feed.locale,
    reader,
    feedId: feed.id,
    previewAddress:
      text === null ? null : `${basePath(deps.publicUrl)}/me/calendar.ics?feed=${feed.id}`,
    firstDays: firstDays && viewDays(firstDays, language, words.preview),
    conditions: conditions.map((it) => ({ ...sayCondition(it, locale, times), about: it.about })),
    holds: words.holds(kindNames, 'own'),
    kindNames,
    detail: feed.options.leaves.show ? words.selfService.details[feed.options.leaves.detail] : null,
  }
}

/** What the person may set of it; nothing where HR lets nobody choose. */
function viewSettings(feed: Feed): object {
  return { settings: offerChoices(feed, {}), localeNames, mayBeOnlyAway: feed.options.leaves.show }
}
