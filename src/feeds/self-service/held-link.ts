import { parse, stringify } from 'node:querystring'

import { z } from 'zod'

import type { AuditAction, AuditEvent } from '../../domain/access/audit-entry.ts'
import { AppError } from '../../domain/errors.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import { type Feed, locales, type Locale } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import { leaveDetails, lowerDetail, type LeaveDetail } from '../../domain/leave.ts'
import {
  boundedFeed,
  type Choices,
  choicesOf,
  shownFeed,
  certainEnd,
  type FeedLink,
  type LinkOfFeed,
  type LinkStore,
  linkName,
} from '../../domain/link.ts'
import { hashSecret, makeSecret, secretOfForm } from '../../domain/secrets.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { refuseEnded } from '../../publishing/open-link.ts'
import { parseInput } from '../feed-input.ts'
import { reminderField } from '../feed-options.ts'
import { changesADayMax, auditEventOf, tellOfFeed, replaceLink } from '../link-replacement.ts'

const list = z.preprocess(
  (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.enum(feedKinds)),
)
const minutesText = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be a number of minutes.')
  .transform(Number)
  .pipe(reminderField)

/** A form's fields: the kinds to be shown, all others are hidden, and the rest as far as it is to change. */
const choiceFields = z.strictObject({
  show: list,
  detail: z.enum(leaveDetails).optional(),
  locale: z.enum(locales).optional(),
  reminderMinutes: z.union([z.literal('none'), minutesText]).optional(),
})
type Choice = z.output<typeof choiceFields>

/** With it comes what the form showed when it was made, written as the form itself is sent. */
const choiceSchema = choiceFields.extend({
  from: z
    .string()
    .transform((text): unknown => ({ ...parse(text) }))
    .pipe(choiceFields)
    .optional(),
})

/**
 * The choices of a link once its holder has sent that form. `invalid` for what is no choice; `forbidden` for what HR
 * does not allow: any choice where `selfService` is off, a kind that is not shown, a level above the set one. Of a form
 * that says what it was made from only what differs from that counts: the rest stays as it was chosen meanwhile, perhaps
 * in another tab.
 */
export function readChoices(feed: Feed, before: Choices, input: unknown): Choices {
  const { from, ...sent } = parseInput(choiceSchema, input, { what: 'The choice' })
  const choice = from ? changesOf(shownFeed(feed, { choices: before }), sent, from) : sent
  const bounded = boundedFeed(feed, { choices: before })
  refuseBeyond(bounded, choice)
  const { locale, options } = bounded
  return choicesOf({
    hide: hiddenKinds(bounded, before, choice),
    detail: unless(choice.detail ?? before.detail, options.leaves.detail),
    locale: unless(choice.locale ?? before.locale, locale),
    reminderMinutes: unless(
      choice.reminderMinutes ?? before.reminderMinutes,
      options.reminderMinutes ?? 'none',
    ),
    onlyAway: before.onlyAway,
  })
}

/** What was changed in a form that was made from that, and all other kinds as they are shown now. */
function changesOf({ options }: Feed, sent: Choice, from: Choice): Choice {
  const show = feedKinds.filter((kind) => {
    const isWanted = sent.show.includes(kind)
    return isWanted === from.show.includes(kind) ? options[kind].show : isWanted
  })
  return {
    show,
    detail: changed(sent.detail, from.detail),
    locale: changed(sent.locale, from.locale),
    reminderMinutes: changed(sent.reminderMinutes, from.reminderMinutes),
  }
}

function changed<T>(sent: T, from: T): T | undefined {
  return sent === from ? undefined : sent
}

/** What is not shown anyway stays hidden if it was: its switch was not there to be set. */
function hiddenKinds(
  { options }: Feed,
  { hide: before = [] }: Choices,
  { show }: Choice,
): readonly FeedKind[] {
  return feedKinds.filter((kind) =>
    options[kind].show ? !show.includes(kind) : before.includes(kind),
  )
}

/** What is as the feed has it is no choice: it follows the feed. */
function unless<T>(wanted: T | undefined, set: T): T | null {
  return wanted === undefined || wanted === set ? null : wanted
}

/** Whether these choices switch off everything that the feed's options show. */
export function showsNothing(feed: Feed, choices: Choices): boolean {
  return showsAnything(feed) && !showsAnything(shownFeed(feed, { choices }))
}

function showsAnything({ options }: Feed): boolean {
  return feedKinds.some((kind) => options[kind].show)
}

function refuseBeyond({ options }: Feed, { show, detail }: Choice): void {
  if (!options.selfService) throw new AppError('forbidden', 'HR decides what this calendar shows.')
  if (show.some((kind) => !options[kind].show)) {
    throw new AppError('forbidden', 'HR has not put this into the calendar.')
  }
  if (detail !== undefined && lowerDetail(detail, options.leaves.detail) !== detail) {
    throw new AppError('forbidden', 'HR has not allowed this level of detail.')
  }
}

/** Whether two choices are the same. */
export function isSameChoice(one: Choices, other: Choices): boolean {
  return JSON.stringify(choicesOf(one)) === JSON.stringify(choicesOf(other))
}

/** Minutes that are offered beside those that are set or chosen already. */
const usualReminders = [5, 10, 15, 30, 60, 120, 1440]

type Reminder = number | 'none'

/** What the holder of a link may choose, and what is chosen. */
export interface OfferedChoices {
  /** What the feed's options show: each can be hidden and shown again. */
  readonly kinds: readonly { readonly kind: FeedKind; readonly shown: boolean }[]
  /** The levels up to that of the options, lowest first; one alone where nothing is to choose. */
  readonly details: readonly LeaveDetail[]
  readonly detail: LeaveDetail
  readonly locales: readonly Locale[]
  readonly locale: Locale
  readonly reminders: readonly Reminder[]
  readonly reminder: Reminder
}

/** What may be chosen within the feed as HR set it; null where nothing may. */
export function offerChoices(feed: Feed, choices: Choices): OfferedChoices | null {
  if (!feed.options.selfService) return null
  const bounded = boundedFeed(feed, { choices }).options
  const { options, locale } = shownFeed(feed, { choices })
  const reminder = reminderOf(options)
  return {
    kinds: feedKinds
      .filter((kind) => bounded[kind].show)
      .map((kind) => ({ kind, shown: options[kind].show })),
    details: leaveDetails.slice(0, leaveDetails.indexOf(bounded.leaves.detail) + 1),
    detail: options.leaves.detail,
    locales,
    locale,
    reminders: remindersWith(reminder, reminderOf(feed.options)),
    reminder,
  }
}

/** What a form shows before anything is changed in it, written as the form itself is sent. */
export function formAsMade({ kinds, detail, locale, reminder }: OfferedChoices): string {
  const show = kinds.filter((it) => it.shown).map(({ kind }) => kind)
  return stringify({ show, detail, locale, reminderMinutes: String(reminder) })
}

function reminderOf({ reminderMinutes }: FeedOptions): Reminder {
  return reminderMinutes ?? 'none'
}

function remindersWith(...others: readonly Reminder[]): readonly Reminder[] {
  const minutes = [...usualReminders, ...others].filter((it) => it !== 'none')
  return ['none', ...[...new Set(minutes)].toSorted((a, b) => a - b)]
}

/** Each leaves a link behind that is remembered for long. */
const replacementsADayMax = 10
/** For how long a form that was sent again is answered as it was the first time. */
const sentAgainMs = 600_000

/** Nothing is known of them but the link. */
const holder = { actor: 'holder' }

interface LinkHoldingDeps {
  readonly links: LinkStore
  readonly clock: Clock
  readonly log: Log
}

/** What became of a choice; one that is not kept would have switched everything off. */
export interface ChoiceMade {
  readonly choices: Choices
  readonly isKept: boolean
  /** The link and its feed as they were when it was made. */
  readonly before: LinkOfFeed
}

/** A link that has been replaced, and the secret of the one in its place. */
export interface Replacement extends LinkOfFeed {
  readonly token: string
}

/** Whether a holder may change anything of the link: one that is to end, perhaps since strangers know it, only shows. */
export function isHeld(link: Pick<FeedLink, 'endsAt' | 'awaitsPoll'>): boolean {
  return certainEnd(link) === null
}

/**
 * Whether the holder of the link may end or replace it: always of their own calendar, and of one that is handed to
 * several readers, all of whom that would hit, only where HR lets them choose.
 */
export function mayGiveUp({ feed, link }: LinkOfFeed): boolean {
  return isHeld(link) && (feed.audience === 'own' || feed.options.selfService)
}

/** What the holder of a link, who has nothing but its secret, does with it on its page. */
export class LinkHolding {
  readonly #deps: LinkHoldingDeps

  constructor(deps: LinkHoldingDeps) {
    this.#deps = deps
  }

  /**
   * Keeps what is chosen in a form, for this link alone. `invalid` for what is no choice, `forbidden` for what HR does not
   * allow and for a link that is to end, `gone` where it has ended meanwhile, `too_many_requests` once that has been done too
   * often within a day. Several at once all hold, each made of what
   * the one before has left.
   */
  async choose({ link }: LinkOfFeed, form: unknown): Promise<ChoiceMade> {
    const auditEvent = { ...this.#auditEvent('choices_changed'), mostADay: changesADayMax }
    const change = (now: LinkOfFeed): Choices => {
      const { choices, isKept } = this.#choiceOf(now, form)
      return isKept ? choices : now.link.choices
    }
    const before = await this.#deps.links.changeChoices(link, change, auditEvent)
    if (!before) throw ended()
    const made = this.#choiceOf(before, form)
    const isNew = made.isKept && !isSameChoice(made.choices, before.link.choices)
    if (isNew) tellOfFeed(this.#deps, auditEvent, before.feed, before.link.label)
    return { ...made, before }
  }

  #choiceOf({ feed, link }: LinkOfFeed, form: unknown): Omit<ChoiceMade, 'before'> {
    refuseEnded(feed, link, this.#deps.clock.now())
    if (!isHeld(link)) throw new AppError('forbidden', 'This address is about to end.')
    const choices = readChoices(feed, link.choices, form)
    return { choices, isKept: !showsNothing(feed, choices) }
  }

  /**
   * Ends the link now and gives the secret of the one in its place. `forbidden` where the holder may not; `gone` where it
   * has been ended or replaced meanwhile: who takes its place answers to nobody who knows only the old secret;
   * `too_many_requests` once that has been done too often within a day. Of a form with a key, see `makeFormKey`,
   * the secret follows from that.
   */
  async replace(open: LinkOfFeed, key?: string): Promise<string> {
    refuseToGiveUp(open)
    const { feedId, label, tokenHash } = open.link
    const token =
      key === undefined ? makeSecret('cfb') : secretOfForm(key, feedId, linkName(open.link))
    const made = await replaceLink({ ...this.#deps, by: holder }, open.feed, {
      action: 'link_replaced',
      label,
      token,
      tokenHash,
      mostADay: replacementsADayMax,
    })
    if (!made) throw ended()
    return token
  }

  /**
   * What the form with that key has done already, for a short while, so that a second press of its button, which takes the
   * place of the first, brings the first one's answer: nobody else knows the key. Undefined where it has done nothing, or
   * the new link has ended as well.
   */
  async findReplacement(oldToken: string, key: string): Promise<Replacement | undefined> {
    const old = await this.#find(oldToken)
    if (!old) return undefined
    const token = secretOfForm(key, old.feed.id, linkName(old.link))
    const made = await this.#find(token)
    const since = this.#deps.clock.now() - sentAgainMs
    if (!made || made.link.endsAt !== null || made.link.createdAt < since) return undefined
    refuseEnded(made.feed, made.link, this.#deps.clock.now())
    return { ...old, token }
  }

  async #find(token: string): Promise<LinkOfFeed | undefined> {
    const tokenHash = hashSecret('cfb', token)
    return tokenHash && this.#deps.links.findByTokenHash(tokenHash)
  }

  /** Ends the link now; the feed's other links go on. `forbidden` and `gone` as for a replacement. */
  async end(open: LinkOfFeed): Promise<void> {
    refuseToGiveUp(open)
    const auditEvent = this.#auditEvent('link_ended')
    if (!(await this.#deps.links.endThis(open.link, auditEvent.at, auditEvent))) throw ended()
    tellOfFeed(this.#deps, auditEvent, open.feed, open.link.label)
  }

  #auditEvent(action: AuditAction): AuditEvent {
    return auditEventOf({ ...this.#deps, by: holder }, action)
  }
}

function refuseToGiveUp(open: LinkOfFeed): void {
  if (!mayGiveUp(open)) throw new AppError('forbidden', 'This address is not the holder’s to end.')
}

function ended(): AppError {
  return new AppError('gone', 'This calendar has ended.')
}
