/* The page of a link: how to subscribe, what the calendar shows, and what its holder may change. */
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'

import { AppError, asAppError } from '../../domain/errors.ts'
import type { Locale } from '../../domain/feed.ts'
import { type Choices, linkName, type LinkOfFeed, shownFeed } from '../../domain/link.ts'
import { makeFormKey } from '../../domain/secrets.ts'
import { pageUrl } from '../../feeds/feed-view.ts'
import { isHeld, mayGiveUp, formAsMade, offerChoices } from '../../feeds/self-service/held-link.ts'
import { feedConditions } from '../../publishing/feed-condition.ts'
import { type OpenLink, openLinkAsSet } from '../../publishing/open-link.ts'
import { isFromOwnPage } from '../../web/own-page.ts'
import { timesOf, viewCalendar, viewVerdicts } from './calendar-view.ts'
import { sendMessagePage } from './error-page.ts'
import {
  askedLanguage,
  basePath,
  languageQuery,
  type PageDeps,
  previewParts,
  sendPage,
} from './page.ts'
import { viewSubscription } from './subscribe.ts'
import { pageLanguages } from './words/words.ts'

const retryAfterSeconds = '300'

type FeedPageRequest = Request<{ token: string }>

/** Punctuation that chats and mails add to an address within a sentence or in brackets. */
const strayEnd = /^(cfb_[\w-]{43})[.,)>\s]{1,3}$/

/**
 * `GET /feeds/{token}`: the page of the person whose calendar it is; 503 while no calendar may be served. It is written in
 * the calendar's language or, with `?lang`, in another. Its head names no person, since chat programs fetch it for what they
 * show beside a shared link: a script gives the browser's tab the calendar's name.
 */
export function showFeedPage(deps: PageDeps): RequestHandler<{ token: string }> {
  return async (request, response) => {
    const token = strayEnd.exec(request.params.token)?.[1]
    if (token !== undefined) {
      response.setHeader('Cache-Control', 'no-store')
      return response.redirect(303, pageAddress(deps, token, request))
    }
    const asSet = await openLinkAsSet(deps.links, request.params.token)
    deps.limits.polls.take(linkName(asSet.link))
    await sendFeedPage(deps, { request, response, asSet })
  }
}

function pageAddress({ publicUrl }: PageDeps, token: string, request: FeedPageRequest): string {
  return pageUrl(basePath(publicUrl), token) + languageQuery('?', askedLanguage(request))
}

/** A request for the page of an open link, its feed as HR set it. */
interface OpenPage {
  readonly request: FeedPageRequest
  readonly response: Response
  readonly asSet: OpenLink
}

/** A form that was refused, with what had been chosen in it. */
interface RefusedForm {
  readonly form: 'choices' | 'replace' | 'end'
  readonly choices?: Choices
}

/** Sends the page; a refused form shows why, with status 400. */
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
  const kept = isHeld(asSet.link) ? offerChoices(asSet.feed, asSet.link.choices) : null
  sendPage(deps, response, {
    template: 'feed',
    locale,
    ...previewParts(locale),
    action: pageAddress(deps, token, request),
    ...(await viewSubscription(request, deps.publicUrl, { name: feed.name, token, isServed })),
    ...viewCalendar(deps, request, { feed, locale, ...found }),
    selfService: kept && refused?.choices ? offerChoices(asSet.feed, refused.choices) : kept,
    from: kept && formAsMade(kept),
    mayGiveUp: mayGiveUp(asSet),
    replacementKey: makeFormKey(),
    refused: refused?.form ?? null,
    another: sayAnother(deps, asSet, locale),
    saved: request.query['saved'] !== undefined,
    verdicts: viewVerdicts(asSet.link, activity, pageLanguages[locale], times),
  })
}

/** The language that the page is asked for in, else that of the calendar. */
function pageLocale(request: FeedPageRequest, { feed, link }: LinkOfFeed): Locale {
  return askedLanguage(request) ?? shownFeed(feed, link).locale
}

/** The calendar's conditions, and what its first days hold where it can be served. */
async function findContents({ publisher }: PageDeps, open: OpenLink) {
  try {
    const state = await publisher.assess(open)
    const { setAside = [], firstDays } = { ...(await publisher.summary(state)) }
    return { conditions: feedConditions(open, state, setAside), firstDays }
  } catch (error) {
    if (!asAppError(error)) throw error
    return { conditions: feedConditions(open, null, []) }
  }
}

/** How the holder of a link gets another: people who can sign in make one of their own calendar. */
function sayAnother({ access }: PageDeps, { feed }: OpenLink, locale: Locale): string {
  const { another } = pageLanguages[locale].link
  return access.signIn && feed.audience === 'own' ? another.bySignIn : another.fromHr
}

/** A form that came from the page of an open link. */
interface SentForm extends OpenPage {
  readonly fields: Readonly<Record<string, unknown>>
}

const actions = new Map([
  ['save', saveChoices],
  ['replace', replaceLink],
  ['end', endLink],
])

/** `POST /feeds/{token}`: keeps the holder's choices, ends the link, or replaces it by a new address. */
export function changeFeedPage(deps: PageDeps): RequestHandler<{ token: string }> {
  return async (request, response) => {
    if (!isFromOwnPage(request.headers, deps.publicUrl, { mayHideOrigin: true })) {
      return sendMessagePage(deps, request, response, 403, 'foreign_request')
    }
    try {
      const asSet = await openLinkAsSet(deps.links, request.params.token)
      deps.limits.polls.take(linkName(asSet.link))
      // Any other body would read as a form with every switch off.
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

/** Leads back to the page, where its form says that it was saved (RFC 9110 section 15.4.4). */
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

/** Answers with what to do next in the calendar programs. */
async function endLink(deps: PageDeps, form: SentForm): Promise<void> {
  const { request, response, asSet, fields } = form
  if (!isConfirmed(fields)) return sendFeedPage(deps, form, { form: 'end' })
  await deps.holding.end(asSet)
  const locale = pageLocale(request, asSet)
  sendPage(deps, response, { template: 'ended', locale, another: sayAnother(deps, asSet, locale) })
}

/** Whether the confirmation box was ticked, and nothing else was sent. */
function isConfirmed({ confirm, ...others }: SentForm['fields']): boolean {
  if (Object.keys(others).length > 0) throw new AppError('invalid', 'The form has unknown fields.')
  return confirm === 'yes'
}

const keySchema = z.string().regex(/^[\w-]{43}$/)
const sentAgain = z.object({ action: z.literal('replace'), key: keySchema })

/** Sends the page of the new address, which only answers to this form show. */
async function replaceLink(deps: PageDeps, form: SentForm): Promise<void> {
  const { key, ...fields } = form.fields
  if (!isConfirmed(fields)) return sendFeedPage(deps, form, { form: 'replace' })
  // Programs may send no key; the secret is random then.
  const read = keySchema.optional().safeParse(key)
  if (!read.success) throw new AppError('invalid', 'The form has an invalid key.')
  const token = await deps.holding.replace(form.asSet, read.data)
  await sendReplaced(deps, form.request, form.response, form.asSet, token)
}

/**
 * Answers a form of a new address that was sent again, as by a second press of its button or a reload, as it was the first
 * time: the link that it is sent to has ended by itself. False for anything else.
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
  sendPage(deps, response, {
    template: 'replaced',
    modules: ['feed-page.js'],
    // The language is still that of the page on which the button was pressed.
    locale: pageLocale(request, link),
    ...(await viewSubscription(request, deps.publicUrl, { name: link.feed.name, token })),
  })
}
