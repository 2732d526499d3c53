/* The page of a signed-in person: their own calendar, its links and its settings. */
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'

import { type ClientActivity, linkStatus } from '../../domain/activity.ts'
import { asOthersSee } from '../../domain/company-defaults.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import { type Feed, type Locale, locales } from '../../domain/feed.ts'
import { type Choices, type FeedLink, mailedLabel } from '../../domain/link.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { makeFormKey } from '../../domain/secrets.ts'
import { displayName } from '../../domain/user.ts'
import { type Instant, minuteMs } from '../../domain/world.ts'
import { pageUrl } from '../../feeds/feed-view.ts'
import { labelBefore } from '../../feeds/link-replacement.ts'
import { isHeld, offerChoices } from '../../feeds/self-service/held-link.ts'
import {
  type OwnCalendar,
  type MadeLink,
  type FormFault,
  WrongForm,
} from '../../feeds/self-service/own-calendar.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
import { nothingHere } from '../../web/problem.ts'
import type { RequestLimit } from '../../web/request-limit.ts'
import { findSession } from '../authentication.ts'
import { takesAccounts } from './account.ts'
import { timesOf, viewCalendar, viewVerdicts } from './calendar-view.ts'
import { viewChoices } from './choices-view.ts'
import { type Device, deviceOf, freeLabel, isNumbered } from './device.ts'
import { wantsPage } from './error-page.ts'
import { viewMissing } from './missing-view.ts'
import { viewAsOthers } from './others-view.ts'
import {
  askedLanguage,
  basePath,
  queryBeforeLanguage,
  languageQuery,
  type PageDeps,
  preferredLanguage,
  previewParts,
  sendPage,
} from './page.ts'
import { isOnPhone, viewSubscription } from './subscribe.ts'
import type { PageTimes } from './times.ts'
import { fill, pageLanguages, type PageWords } from './words/words.ts'

interface Visit {
  readonly request: Request
  readonly response: Response
  readonly person: PersonInCompany
  readonly isStaff: boolean
  readonly locale: Locale
}

interface RefusedForm {
  readonly form: 'make' | 'link' | 'choices' | 'replace' | 'end'
  /** Left out for choices, of which there is but one refusal. */
  readonly about?: FormFault
  readonly label: string
  readonly isOnlyAway?: boolean
  readonly feed: string | undefined
  /** What a form of choices has asked for. */
  readonly choices?: Choices
}

/** `GET /me`: the signed-in person's own calendar. */
export function showMe(deps: PageDeps, limit: RequestLimit): RequestHandler {
  return async (request, response) => {
    const visit = await admit(deps, limit, request, response)
    if (visit) await sendMe(deps, visit)
  }
}

/** Returns the visit of a signed-in person; redirects staff to the console, and others to sign-in. */
async function admit(
  deps: PageDeps,
  limit: RequestLimit,
  request: Request,
  response: Response,
): Promise<Visit | undefined> {
  const session = await findSession(deps, request)
  const isStaff = session?.staff != null
  if (session?.person) {
    const { person } = session
    limit.take(JSON.stringify(person))
    return { request, response, person, isStaff, locale: preferredLanguage(request) }
  }
  if (!isStaff && !deps.access.signIn) throw nothingHere()
  response.setHeader('Cache-Control', 'no-store')
  response.redirect(303, `${basePath(deps.publicUrl)}${isStaff ? '/console' : '/sign-in'}`)
  return undefined
}

/** Sends the page; for a refused form with the reason and status 400. */
async function sendMe(
  deps: PageDeps,
  { request, response, person, isStaff, locale }: Visit,
  refused: RefusedForm | null = null,
): Promise<void> {
  const own = deps.ownCalendarOf(person)
  const asked = refused?.feed ?? askedFeed(request)
  const [feeds, found] = [await own.list(), await own.find(asked)]
  const shown = {
    locale,
    referrer: 'same-origin',
    who: await nameOfPerson(deps, person),
    action: meAddress(deps, request, asked),
    companyId: person.companyId,
    inLanguage: queryBeforeLanguage(request, asked),
    console: isStaff
      ? `${basePath(deps.publicUrl)}/console${languageQuery('?', askedLanguage(request))}`
      : null,
    signOut: `${basePath(deps.publicUrl)}/sign-out`,
    key: makeFormKey(),
    refused,
    saved: request.query['saved'] !== undefined,
    opened: askedLabel(request) ?? null,
    styles: ['me-page.css'],
  } as const
  response.vary('Accept-Language').setHeader('Cache-Control', 'no-store')
  if (refused) response.status(400)
  if (!found) {
    const ended = viewEnded(deps, request, locale, await own.findEnded())
    return sendPage(deps, response, { ...shown, ...ended, template: 'me-new' })
  }
  const { feed, links } = found
  const onPhone = isOnPhone(request.headers)
  const { options } = feed
  const words = pageLanguages[locale]
  const times = timesOf(deps, request, feed.timezone, locale)
  const { text, ...contents } = await deps.preview(feed)
  const activity = await deps.activity.listActivity([feed.id])
  const calendar = `${basePath(deps.publicUrl)}/me/calendar.ics?feed=${feed.id}`
  const preview = previewParts(locale)
  const toShow = { feed, words, times, activity, now: deps.clock.now(), refused }
  const { seen, ...ofOthers } = await viewAsOthers(deps, request, {
    others: { ...asOthersSee(feed), locale: feed.locale },
    locale,
    page: shown.action,
  })
  const missing = await viewMissing(deps, request, {
    feed,
    locale,
    page: shown.action,
    people: null,
    links,
    activity,
    nameOf: (link) => sayLabel(link, words),
    choices: links.some(isHeld) && offerChoices(feed, {}) ? '#links' : null,
    switchedOff: [],
    explain: (scope) => deps.explaining.explainer.explainOwn(feed, links, scope),
  })
  const shownLinks = links.map((link) => viewLink(link, toShow))
  sendPage(deps, response, {
    ...shown,
    template: 'me',
    ...preview,
    styles: [...(preview.styles ?? []), ...shown.styles],
    name: isolated(feed.name),
    feedId: feed.id,
    seen,
    missing,
    ...viewCalendar(deps, request, { feed, locale, ...contents, ...ofOthers }),
    previewAddress: text === null ? null : calendar,
    onPhone,
    // A long list is folded on wide screens, too.
    isShort: !onPhone && links.length <= openLinksMax,
    // Undefined if HR offers no choices.
    settings: offerChoices(feed, {})?.choices.filter(({ name }) => settingNames.has(name)),
    mayBeOnlyAway: options.leaves.show,
    mayBeAccount: takesAccounts(deps.publicUrl),
    others: feeds
      .filter(({ id }) => id !== feed.id)
      .map(({ id, name }) => ({ name: isolated(name), address: meAddress(deps, request, id) })),
    device: viewDevice(request, links),
    choiceWords: withBareAway(words),
    shareLabel: freeLabel(words.me.share.label, labelsOf(links)),
    links: shownLinks,
  })
}

/** More links are folded, each by itself. */
const openLinksMax = 3

/** Of the calendar itself, with its links; everything else is chosen for each link. */
const settingNames: ReadonlySet<string> = new Set(['locale', 'reminderMinutes'])

function labelsOf(links: readonly FeedLink[]): readonly string[] {
  return links.map(({ label }) => label)
}

/** The reader's device, the label of a link for it, and the last one that has such a label already. */
function viewDevice(request: Request, links: readonly FeedLink[]): object {
  const name = deviceOf(request)
  const labels = labelsOf(links)
  const before = labels.findLast((label) => isNumbered(label, name)) ?? null
  return { name, label: freeLabel(name, labels), before }
}

/** The tick box of a new link is called "Only Away"; nothing else on the page is. */
function withBareAway(words: PageWords): PageWords {
  const { selfService, me } = words
  const { choices } = selfService
  const text: typeof choices.detail.text = (value) =>
    value === 'absent' ? me.choices.away : choices.detail.text(value)
  const detail = { ...choices.detail, text }
  return { ...words, selfService: { ...selfService, choices: { ...choices, detail } } }
}

interface LinksToView {
  readonly feed: Feed
  readonly words: PageWords
  readonly times: PageTimes
  readonly activity: readonly ClientActivity[]
  readonly now: Instant
  readonly refused: RefusedForm | null
}

function viewLink(link: FeedLink, toShow: LinksToView): object {
  const { feed, words, times, activity, refused } = toShow
  const asked = refused?.label === link.label ? refused.choices : undefined
  return {
    label: link.label,
    shownLabel: sayLabel(link, words),
    isOnlyAway: link.choices.onlyAway === true,
    isHeld: isHeld(link),
    status: sayStatus(link, toShow),
    since: saySince(link, words, times),
    verdicts: viewVerdicts(link, activity, words, times),
    choices: isHeld(link) ? viewChoices(feed, link.choices, asked) : null,
  }
}

/** In a few words: when the program that asked last did so, or when the link ends. */
function sayStatus(
  link: FeedLink,
  { words, times, activity, now }: LinksToView,
): { readonly state: string; readonly text: string; readonly hint?: string } {
  const { status: said } = words.me
  if (link.endsAt !== null) {
    return { state: 'ends', text: fill(said.ends, { date: times.date(link.endsAt) }) }
  }
  const latest = linkStatus(link, activity, now)
  if (!latest) return { state: 'waiting', text: said.waiting, hint: said.hints.waiting }
  const { state, client, askedAt } = latest
  const isNow = state === 'synced' && now - askedAt < minuteMs
  const text = isNow ? said.now : fill(said[state], { ago: times.ago(askedAt) })
  const hint = state === 'stopped' || state === 'refused' ? said.hints[state] : ''
  return { state, text: `${text} · ${words.activity.clients[client]}`, hint }
}

async function nameOfPerson(
  { people }: PageDeps,
  { companyId, userId }: PersonInCompany,
): Promise<string> {
  const name = displayName(await people.findPerson(companyId, userId))
  return isolated(isVisible(name) ? name : userId)
}

/** Says why a person has no calendar, and whether they may create one. */
function viewEnded(
  deps: PageDeps,
  request: Request,
  locale: Locale,
  ended: Feed | undefined,
): object {
  const { empty } = pageLanguages[locale].me
  if (!ended) return { why: empty.text, mayMake: true }
  if (ended.revokedAt === null) return { why: empty.closed, mayMake: false }
  const times = timesOf(deps, request, ended.timezone, locale)
  return { why: fill(empty.revoked, { date: times.date(ended.revokedAt) }), mayMake: false }
}

function saySince(link: FeedLink, { me: { links } }: PageWords, times: PageTimes): string {
  if (link.endsAt === null) return fill(links.made, { date: times.date(link.createdAt) })
  const date = times.date(link.endsAt)
  return fill(isHeld(link) ? links.unused : links.ends, { date })
}

/** Labels from the bridge are shown in words; a link about to end keeps its former label. */
function sayLabel({ label }: FeedLink, { me: { links } }: PageWords): string {
  const before = labelBefore(label)
  if (before === 'default') return links.first
  return before === mailedLabel ? links.mailed : isolated(before)
}

function askedFeed({ query }: Request): string | undefined {
  return typeof query['feed'] === 'string' ? query['feed'] : undefined
}

/** The link whose choices are open. */
function askedLabel({ query }: Request): string | undefined {
  return typeof query['link'] === 'string' ? query['link'] : undefined
}

/** Returns the page's path for that feed, if any, in the reader's chosen language. */
function meAddress({ publicUrl }: PageDeps, request: Request, feed: string | undefined): string {
  const lang = askedLanguage(request)
  const query = new URLSearchParams({ ...(feed !== undefined && { feed }), ...(lang && { lang }) })
  return `${basePath(publicUrl)}/me${query.size > 0 ? `?${query.toString()}` : ''}`
}

const key = z.string().regex(/^[\w-]{43}$/)
const ticked = z.literal('yes').optional()
const link = { feed: z.string().max(256), label: z.string().max(1000) }

/** What each form of the page sends; other fields are refused. */
const formSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('make'), key }),
  z.strictObject({
    action: z.literal('link'),
    ...link,
    key,
    onlyAway: ticked,
    as: z.literal('account').optional(),
  }),
  // The choices themselves are read with their link and feed.
  z.looseObject({ action: z.literal('choices'), ...link }),
  z.strictObject({ action: z.literal('replace'), ...link, key, confirm: ticked }),
  z.strictObject({ action: z.literal('end'), ...link, confirm: ticked }),
  z.strictObject({
    action: z.literal('settings'),
    feed: link.feed,
    locale: z.enum(locales),
    reminderMinutes: z.union([z.literal('none'), z.string().regex(/^\d{1,5}$/)]),
  }),
])
type MeForm = z.output<typeof formSchema>

/** `POST /me`: changes the signed-in person's calendar; behind `requireOwnPage`. */
export function changeMe(deps: PageDeps, limit: RequestLimit): RequestHandler {
  return async (request, response) => {
    const visit = await admit(deps, limit, request, response)
    if (!visit) return
    if (!request.is('application/x-www-form-urlencoded')) {
      throw new AppError('unsupported_media_type', 'Send this as a form.')
    }
    const read = formSchema.safeParse({ ...request.body })
    if (!read.success) throw new AppError('invalid', 'The form has missing or unknown fields.')
    const form = read.data
    try {
      const own = deps.ownCalendarOf(visit.person)
      if (form.action === 'choices') return await choose(deps, visit, own, form)
      const made = await perform(own, form)
      if (made) return await sendMade(deps, visit, form, made)
    } catch (error) {
      return sendRefused(deps, visit, form, error)
    }
    const address = meAddress(deps, request, feedOf(form))
    response.setHeader('Cache-Control', 'no-store')
    // A second press of Make finds the calendar that the first one created. Other forms say that they were saved (RFC 9110
    // section 15.4.4).
    response.redirect(303, form.action === 'make' ? address : `${address}&saved#saved`)
  }
}

type ChoiceForm = Extract<MeForm, { readonly action: 'choices' }>

/** Redirects to the page with the choices of that link open, where the form says that it was saved. */
async function choose(
  deps: PageDeps,
  visit: Visit,
  own: OwnCalendar,
  form: ChoiceForm,
): Promise<void> {
  const { action, feed, label, ...fields } = form
  const { isKept, choices } = await own.choose(feed, label, fields)
  if (!isKept) {
    return sendMe(deps, visit, { form: action, label, feed, choices })
  }
  const query = new URLSearchParams({ link: label }).toString()
  visit.response.setHeader('Cache-Control', 'no-store')
  visit.response.redirect(303, `${meAddress(deps, visit.request, feed)}&${query}&saved#saved`)
}

/** Performs the action; returns the new link, if any, since its address is shown only once. */
async function perform(
  own: OwnCalendar,
  form: Exclude<MeForm, ChoiceForm>,
): Promise<MadeLink | undefined> {
  if ('label' in form && form.action !== 'link' && form.confirm !== 'yes') {
    throw new WrongForm('unconfirmed')
  }
  switch (form.action) {
    case 'make':
      return own.make(form.key)
    case 'link':
      return own.addLink(form.feed, { ...form, isOnlyAway: form.onlyAway === 'yes' })
    case 'replace':
      return own.replaceLink(form.feed, form.label, form.key)
    case 'end':
      await own.endLink(form.feed, form.label)
      break
    case 'settings': {
      const { locale, reminderMinutes: minutes } = form
      const reminderMinutes = minutes === 'none' ? null : Number(minutes)
      await own.change(form.feed, { locale, reminderMinutes })
      break
    }
  }
  return undefined
}

/** Sends the page with the reason for the refusal; rethrows errors that the page has no words for. */
async function sendRefused(
  deps: PageDeps,
  visit: Visit,
  form: MeForm,
  error: unknown,
): Promise<void> {
  if (form.action === 'make' && asAppError(error)?.code === 'forbidden') {
    visit.response.status(403)
    return sendMe(deps, visit)
  }
  if (!(error instanceof WrongForm) || form.action === 'settings') throw error
  return sendMe(deps, visit, {
    form: form.action,
    about: error.about,
    label: 'label' in form ? form.label : '',
    isOnlyAway: form.action === 'link' && form.onlyAway === 'yes',
    feed: feedOf(form),
  })
}

async function sendMade(
  deps: PageDeps,
  { request, response, locale }: Visit,
  form: MeForm,
  { feed, label, token, isOnlyAway }: MadeLink,
): Promise<void> {
  const device = deviceOf(request)
  const isForAccount =
    form.action === 'link' && form.as === 'account' && takesAccounts(deps.publicUrl)
  const subscription = { name: feed.name, token, isForAccount }
  response.setHeader('Cache-Control', 'no-store')
  sendPage(deps, response, {
    template: 'me-made',
    referrer: 'same-origin',
    modules: ['feed-page.js'],
    styles: ['me-page.css'],
    locale,
    device,
    companyId: feed.companyId,
    inLanguage: `${pageUrl(basePath(deps.publicUrl), token)}?`,
    kind: isOnlyAway ? 'share' : isForAnother(form, device) ? 'other' : 'device',
    label: label === 'default' ? null : isolated(label),
    isForAccount,
    isReplacement: form.action === 'replace',
    me: meAddress(deps, request, feedOf(form)),
    ...(await viewSubscription(request, deps.publicUrl, subscription)),
  })
}

/** A new link of another label than the one that this device offers. */
function isForAnother(form: MeForm, device: Device): boolean {
  return form.action === 'link' && !isNumbered(form.label, device)
}

function feedOf(form: MeForm): string | undefined {
  return form.action === 'make' ? undefined : form.feed
}

/**
 * `GET /me/calendar.ics`: the previewed calendar, for the page's script only. Not an address to subscribe to: a browser
 * that opens it is redirected to the page.
 */
export function showOwnCalendar(deps: PageDeps, limit: RequestLimit): RequestHandler {
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.vary('Accept')
    if (wantsPage(request)) {
      const visit = await admit(deps, limit, request, response)
      if (visit) response.redirect(303, meAddress(deps, request, askedFeed(request)))
      return
    }
    const person = (await findSession(deps, request))?.person
    if (!person) throw new AppError('unauthorized', 'Sign in to see your calendar.')
    limit.take(JSON.stringify(person))
    const found = await deps.ownCalendarOf(person).find(askedFeed(request))
    if (!found) throw new AppError('not_found', 'You have no calendar yet.')
    const { text } = await deps.preview(found.feed)
    if (text === null) throw new AppError('unavailable', 'The calendar is not available right now.')
    response.type('text/calendar; charset=utf-8').send(text)
  }
}
