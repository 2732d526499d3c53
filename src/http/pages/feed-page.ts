/* The page of a link: how to subscribe, what the calendar shows, and what its holder can change. */
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'

import { AppError, asAppError } from '../../domain/errors.ts'
import type { Feed, Locale } from '../../domain/feed.ts'
import { feedKinds } from '../../domain/kinds.ts'
import { type Choices, linkName, type LinkOfFeed, shownFeed } from '../../domain/link.ts'
import { makeFormKey } from '../../domain/secrets.ts'
import { pageUrl } from '../../feeds/feed-view.ts'
import { isHeld, mayGiveUp } from '../../feeds/self-service/held-link.ts'
import { teamConditions } from '../../people/teams.ts'
import { feedConditions } from '../../publishing/feed-condition.ts'
import { type OpenLink, openLinkWithoutChoices } from '../../publishing/open-link.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
import { isFromOwnPage } from '../../web/own-page.ts'
import { timesOf, viewCalendar, viewVerdicts } from './calendar-view.ts'
import { viewChoices } from './choices-view.ts'
import { sendMessagePage, viewWaysToLink } from './error-page.ts'
import { viewMissing } from './missing-view.ts'
import { othersWithin, viewAsOthers } from './others-view.ts'
import {
  askedLanguage,
  basePath,
  queryBeforeLanguage,
  languageQuery,
  type PageDeps,
  previewParts,
  sendPage,
} from './page.ts'
import { viewSubscription } from './subscribe.ts'
import type { People } from './words/en-feed.ts'
import { pageLanguages } from './words/words.ts'

const retryAfterSeconds = '300'

type FeedPageRequest = Request<{ token: string }>

/** Punctuation that chats and mails append to an address in a sentence or in brackets. */
const strayEnd = /^(cfb_[\w-]{43})[.,)>\s]{1,3}$/

/**
 * `GET /feeds/{token}`: the page for the person with this calendar; 503 while no calendar may be served. Uses the
 * calendar's language or the one in `?lang`. Its head names no person, since chat programs read it for link previews; a
 * script sets the tab's title.
 */
export function showFeedPage(deps: PageDeps): RequestHandler<{ token: string }> {
  return async (request, response) => {
    const token = strayEnd.exec(request.params.token)?.[1]
    if (token !== undefined) {
      response.setHeader('Cache-Control', 'no-store')
      return response.redirect(303, pageAddress(deps, token, request))
    }
    const asSet = await openLinkWithoutChoices(deps.links, request.params.token)
    deps.limits.polls.take(linkName(asSet.link))
    await sendFeedPage(deps, { request, response, asSet })
  }
}

function pageAddress({ publicUrl }: PageDeps, token: string, request: FeedPageRequest): string {
  return pageUrl(basePath(publicUrl), token) + languageQuery('?', askedLanguage(request))
}

interface OpenPage {
  readonly request: FeedPageRequest
  readonly response: Response
  readonly asSet: OpenLink
}

interface RefusedForm {
  readonly form: 'choices' | 'replace' | 'end'
  readonly choices?: Choices
}

/** Sends the page; for a refused form with the reason and status 400. */
async function sendFeedPage(
  deps: PageDeps,
  { request, response, asSet }: OpenPage,
  refused: RefusedForm | null = null,
): Promise<void> {
  const feed = shownFeed(asSet.feed, asSet.link)
  const open = { ...asSet, feed }
  const locale = pageLocale(request, asSet)
  const times = timesOf(deps, request, feed.timezone, locale)
  const found = await findContents(deps, open)
  const isServed = found.conditions.every(({ about }) => about !== 'unavailable')
  if (!isServed) response.status(503).setHeader('Retry-After', retryAfterSeconds)
  if (refused) response.status(400)
  const { token } = request.params
  const activity = await deps.activity.listActivity([feed.id])
  const people = isShared(asSet) ? await peopleOf(deps, feed) : null
  const words = pageLanguages[locale]
  const [person] = people?.names ?? []
  const { onlyAway = false } = asSet.link.choices
  const subscription = { name: feed.name, token, isServed }
  const action = pageAddress(deps, token, request)
  const mayAskOthers = people === null && asSet.feed.options.leaves.show
  const { seen, ...ofOthers } = await viewAsOthers(deps, request, {
    others: mayAskOthers ? { ...othersWithin(asSet.feed), locale: feed.locale } : null,
    locale,
    page: action,
  })
  const selfService = isHeld(asSet.link)
    ? viewChoices(asSet.feed, asSet.link.choices, refused?.choices)
    : null
  const missing = await viewMissing(deps, request, {
    feed,
    locale,
    page: action,
    people,
    links: [asSet.link],
    activity,
    nameOf: null,
    choices: selfService && !onlyAway ? '#shows' : null,
    switchedOff: onlyAway
      ? []
      : feedKinds.filter((kind) => asSet.feed.options[kind].show && !feed.options[kind].show),
    explain: (scope) => deps.explaining.explainer.explainLink(asSet, scope),
  })
  sendPage(deps, response, {
    template: 'feed',
    locale,
    title: people ? words.shared : words.title,
    companyId: feed.companyId,
    ...previewParts(locale),
    inLanguage: queryBeforeLanguage(request),
    action,
    seen,
    ...(await viewSubscription(request, deps.publicUrl, subscription)),
    ...viewCalendar(deps, request, { feed, locale, people, ...found, ...ofOthers }),
    heading: onlyAway && person !== undefined ? words.absencesOf(person) : null,
    onlyAway,
    selfService,
    missing,
    mayGiveUp: mayGiveUp(asSet),
    replacementKey: makeFormKey(),
    refused: refused?.form ?? null,
    another: sayAnother(deps, asSet, locale),
    saved: request.query['saved'] !== undefined,
    verdicts: viewVerdicts(asSet.link, activity, words, times),
  })
}

/** Whether the reader is somebody else than the person in the calendar. */
function isShared({ feed, link }: LinkOfFeed): boolean {
  return feed.audience === 'others' || link.choices.onlyAway === true
}

const namedMax = 3

/** The first names of a calendar's people, if they are few and all known. */
async function peopleOf({ people }: PageDeps, { companyId, userIds }: Feed): Promise<People> {
  const count = userIds.length
  if (count > namedMax) return { names: [], count }
  const found = await Promise.all(userIds.map((id) => people.findPerson(companyId, id)))
  const names = found.map((person) => person?.firstName ?? '').filter(isVisible)
  return { names: names.length === count ? names.map(isolated) : [], count }
}

function pageLocale(request: FeedPageRequest, { feed, link }: LinkOfFeed): Locale {
  return askedLanguage(request) ?? shownFeed(feed, link).locale
}

/** Returns the calendar's conditions and, if it can be served, its first days. */
async function findContents({ publisher, teams }: PageDeps, open: OpenLink) {
  const ofTeam = await teamConditions({ teams }, open.feed)
  try {
    const state = await publisher.assess(open)
    const { setAside = [], firstDays } = { ...(await publisher.summary(state)) }
    return { conditions: [...feedConditions(open, state, setAside), ...ofTeam], firstDays }
  } catch (error) {
    if (!asAppError(error)) throw error
    return { conditions: [...feedConditions(open, null, []), ...ofTeam] }
  }
}

/** Tells the holder how to get another link; people who can sign in create one themselves. */
function sayAnother({ access }: PageDeps, open: LinkOfFeed, locale: Locale): string {
  const { another } = pageLanguages[locale].link
  if (open.link.choices.onlyAway) return another.fromGiver
  return access.signIn && open.feed.audience === 'own' ? another.bySignIn : another.fromHr
}

interface SentForm extends OpenPage {
  readonly fields: Readonly<Record<string, unknown>>
}

const actions = new Map([
  ['save', saveChoices],
  ['replace', replaceLink],
  ['end', endLink],
])

/** `POST /feeds/{token}`: stores the holder's choices, ends the link, or replaces it with a new address. */
export function changeFeedPage(deps: PageDeps): RequestHandler<{ token: string }> {
  return async (request, response) => {
    if (!isFromOwnPage(request.headers, deps.publicUrl, { mayHideOrigin: true })) {
      return sendMessagePage(deps, request, response, 403, 'foreign_request')
    }
    try {
      const asSet = await openLinkWithoutChoices(deps.links, request.params.token)
      deps.limits.polls.take(linkName(asSet.link))
      // Any other body would look like a form with every switch off.
      if (!request.is('application/x-www-form-urlencoded')) {
        throw new AppError('unsupported_media_type', 'Send the choices as a form.')
      }
      const { action = 'save', ...fields } = { ...request.body }
      const act = actions.get(action)
      if (!act) throw new AppError('invalid', 'Unknown action for a link.')
      await act(deps, { request, response, asSet, fields })
    } catch (error) {
      if (!(await answerAgain(deps, request, response, error))) throw error
    }
  }
}

/** Redirects to the page, where the form says that it was saved (RFC 9110 section 15.4.4). */
async function saveChoices(deps: PageDeps, form: SentForm): Promise<void> {
  const { request, response, asSet, fields } = form
  const { isKept, choices, before } = await deps.holding.choose(asSet, fields)
  if (!isKept) {
    const asStored = { ...asSet, ...before }
    return sendFeedPage(deps, { ...form, asSet: asStored }, { form: 'choices', choices })
  }
  const isInAnother = choices.locale !== before.link.choices.locale
  const query = languageQuery('&', isInAnother ? undefined : askedLanguage(request))
  const page = pageUrl(basePath(deps.publicUrl), request.params.token)
  response.setHeader('Cache-Control', 'no-store')
  response.redirect(303, `${page}?saved${query}#saved`)
}

/** Ends the link; the page says what to do next in the calendar programs. */
async function endLink(deps: PageDeps, form: SentForm): Promise<void> {
  const { request, response, asSet, fields } = form
  if (!isConfirmed(fields)) return sendFeedPage(deps, form, { form: 'end' })
  await deps.holding.end(asSet)
  const locale = pageLocale(request, asSet)
  sendPage(deps, response, {
    template: 'ended',
    locale,
    companyId: asSet.feed.companyId,
    another: sayAnother(deps, asSet, locale),
    waysOn: viewWaysToLink(deps, request, locale),
  })
}

/** Whether the confirmation box is ticked; fails with `invalid` for other fields. */
function isConfirmed({ confirm, ...others }: SentForm['fields']): boolean {
  if (Object.keys(others).length > 0) throw new AppError('invalid', 'The form has unknown fields.')
  return confirm === 'yes'
}

const keySchema = z.string().regex(/^[\w-]{43}$/)
const sentAgain = z.object({ action: z.literal('replace'), key: keySchema })

/** Sends the page of the new address, which only responses to this form show. */
async function replaceLink(deps: PageDeps, form: SentForm): Promise<void> {
  const { key, ...fields } = form.fields
  if (!isConfirmed(fields)) return sendFeedPage(deps, form, { form: 'replace' })
  // Programs may send no key; the secret is then random.
  const read = keySchema.optional().safeParse(key)
  if (!read.success) throw new AppError('invalid', 'The form has an invalid key.')
  const token = await deps.holding.replace(form.asSet, read.data)
  await sendReplaced(deps, form.request, form.response, form.asSet, token)
}

/**
 * Repeats the response to a form that replaces the link, for example after a second press or a reload. By then the link in
 * the path has ended. Returns false for anything else.
 */
async function answerAgain(
  deps: PageDeps,
  request: FeedPageRequest,
  response: Response,
  error: unknown,
): Promise<boolean> {
  const sent = sentAgain.safeParse(request.body)
  if (!sent.success || !asAppError(error)) return false
  const replacement = await deps.holding.findReplacement(request.params.token, sent.data.key)
  if (!replacement) return false
  deps.limits.polls.take(linkName(replacement.link))
  await sendReplaced(deps, request, response, replacement, replacement.token)
  return true
}

async function sendReplaced(
  deps: PageDeps,
  request: FeedPageRequest,
  response: Response,
  link: LinkOfFeed,
  token: string,
): Promise<void> {
  const { name } = shownFeed(link.feed, link.link)
  sendPage(deps, response, {
    template: 'replaced',
    modules: ['feed-page.js'],
    // Still in the language of the page with the button.
    locale: pageLocale(request, link),
    companyId: link.feed.companyId,
    inLanguage: `${pageUrl(basePath(deps.publicUrl), token)}?`,
    ...(await viewSubscription(request, deps.publicUrl, { name, token })),
  })
}
