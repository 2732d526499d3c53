import { parse, stringify } from 'node:querystring'

import { z } from 'zod'

import type { AuditAction, AuditEvent } from '../../domain/access/audit-entry.ts'
import { AppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import {
  boundedFeed,
  type ChoiceName,
  choiceNames,
  type Choices,
  choicesOf,
  choiceValues,
  shownFeed,
  certainEnd,
  type FeedLink,
  type LinkOfFeed,
  type LinkStore,
  linkName,
  valueIn,
  withChoices,
} from '../../domain/link.ts'
import { hashSecret, makeSecret, secretOfForm } from '../../domain/secrets.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { isObject } from '../../json/read-json.ts'
import { refuseEnded } from '../../publishing/open-link.ts'
import { parseInput } from '../feed-input.ts'
import { choiceShape } from '../feed-options.ts'
import {
  type AuditDeps,
  changesADayMax,
  auditEventOf,
  tellOfFeed,
  replaceLink,
} from '../link-replacement.ts'

const list = z.preprocess(
  (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.enum(feedKinds)),
)

/** Forms send text. */
function withNumbers(form: unknown): unknown {
  if (!isObject(form)) return form
  return Object.fromEntries(Object.entries(form).map(([name, it]) => [name, numberIn(it) ?? it]))
}

function numberIn(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : null
}

/** The fields of a form: kinds that are not in `show` are hidden; anything else left out stays as it is. */
const choiceFields = z.strictObject(choiceShape).partial().extend({ show: list })
type ChoiceForm = z.output<typeof choiceFields>

/** `from`: the values of the form before the reader changed them, encoded like the form itself. */
const choiceSchema = choiceFields.extend({
  from: z
    .string()
    .transform((text): unknown => withNumbers({ ...parse(text) }))
    .pipe(choiceFields)
    .optional(),
})

/**
 * The choices of a link after its holder has sent a form. `invalid`; `forbidden` for what HR does not allow: any choice
 * without `selfService`, a kind that is not shown, more detail than set. With `from`, only differences count, so that
 * choices made meanwhile in another tab stay.
 */
export function readChoices(feed: Feed, before: Choices, input: unknown): Choices {
  const { from, ...sent } = parseInput(choiceSchema, withNumbers(input), { what: 'The choice' })
  const form = from ? changesOf(shownFeed(feed, { choices: before }), sent, from) : sent
  const bounded = boundedFeed(feed, { choices: before })
  refuseBeyond(bounded, form)
  const wanted: Choices = { ...before, ...pickChoices(form) }
  const chosen = choiceNames
    .map((name) => [name, wanted[name]] as const)
    // A value that changes nothing is no choice: it follows the feed.
    .filter(([name, value]) => {
      if (form[name] === undefined) return true
      const open = besides(name, bounded, wanted)
      return valueIn(withChoices(open, { [name]: value }), name) !== valueIn(open, name)
    })
  return choicesOf({
    ...Object.fromEntries(chosen),
    hide: hiddenKinds(bounded, before, form),
    onlyAway: before.onlyAway,
  })
}

function pickChoices(form: ChoiceForm): Choices {
  const set = choiceNames.filter((name) => form[name] !== undefined)
  return Object.fromEntries(set.map((name) => [name, form[name]]))
}

/** The feed with all choices but that one, on which it may depend. */
function besides(name: ChoiceName, feed: Feed, { [name]: _, ...others }: Choices): Feed {
  return withChoices(feed, others)
}

/** What the holder has changed in the form. */
function changesOf({ options }: Feed, sent: ChoiceForm, from: ChoiceForm): ChoiceForm {
  const show = feedKinds.filter((kind) => {
    const isWanted = sent.show.includes(kind)
    return isWanted === from.show.includes(kind) ? options[kind].show : isWanted
  })
  const changed = choiceNames
    .filter((name) => sent[name] !== from[name])
    .map((name) => [name, sent[name]])
  return { ...Object.fromEntries(changed), show }
}

/** Kinds that HR does not show stay hidden if they were: the form had no switch for them. */
function hiddenKinds(
  { options }: Feed,
  { hide: before = [] }: Choices,
  { show }: ChoiceForm,
): readonly FeedKind[] {
  return feedKinds.filter((kind) =>
    options[kind].show ? !show.includes(kind) : before.includes(kind),
  )
}

export function showsNothing(feed: Feed, choices: Choices): boolean {
  return showsAnything(feed) && !showsAnything(shownFeed(feed, { choices }))
}

function showsAnything({ options }: Feed): boolean {
  return feedKinds.some((kind) => options[kind].show)
}

function refuseBeyond(feed: Feed, { show, ...form }: ChoiceForm): void {
  const { options } = feed
  if (!options.selfService) throw new AppError('forbidden', 'HR decides what this calendar shows.')
  if (show.some((kind) => !options[kind].show)) {
    throw new AppError('forbidden', 'HR has not put this into the calendar.')
  }
  for (const name of choiceNames) {
    if (form[name] !== undefined && !isAllowed(feed, name, form[name])) {
      throw new AppError('forbidden', `HR has not allowed this ${name}.`)
    }
  }
}

function isAllowed(feed: Feed, name: ChoiceName, value: string | number): boolean {
  return valueIn(withChoices(feed, { [name]: value }), name) === value
}

export function isSameChoice(one: Choices, other: Choices): boolean {
  return JSON.stringify(choicesOf(one)) === JSON.stringify(choicesOf(other))
}

/** Offered besides those that are set or chosen. */
export const usualReminders = [5, 10, 15, 30, 60, 120, 1440]

export interface OfferedChoice {
  readonly name: ChoiceName
  /** Those that the feed allows. */
  readonly values: readonly (string | number)[]
  readonly value: string | number
}

/** What the holder of a link can choose, and what is chosen. */
export interface OfferedChoices {
  /** Kinds that the feed shows. */
  readonly kinds: readonly { readonly kind: FeedKind; readonly shown: boolean }[]
  readonly choices: readonly OfferedChoice[]
}

/** null if HR lets holders choose nothing. */
export function offerChoices(feed: Feed, choices: Choices): OfferedChoices | null {
  if (!feed.options.selfService) return null
  const bounded = boundedFeed(feed, { choices })
  const shown = shownFeed(feed, { choices })
  return {
    kinds: feedKinds
      .filter((kind) => bounded.options[kind].show)
      .map((kind) => ({ kind, shown: shown.options[kind].show })),
    choices: choiceNames.map((name) => {
      const value = valueIn(shown, name)
      const all = choiceValues(name) ?? remindersWith(value, valueIn(feed, name))
      const open = besides(name, bounded, choices)
      return { name, values: all.filter((it) => isAllowed(open, name, it)), value }
    }),
  }
}

/** The form before any change, encoded as it is sent. */
export function formAsMade({ kinds, choices }: OfferedChoices): string {
  const show = kinds.filter((it) => it.shown).map(({ kind }) => kind)
  return stringify({
    show,
    ...Object.fromEntries(choices.map(({ name, value }) => [name, String(value)])),
  })
}

function remindersWith(...others: readonly (string | number)[]): readonly (string | number)[] {
  const minutes = [...usualReminders, ...others].map(Number).filter((it) => !Number.isNaN(it))
  return ['none', ...[...new Set(minutes)].toSorted((a, b) => a - b)]
}

/** Each leaves an ended link, which is kept for long. */
const replacementsADayMax = 10
/** A form that is sent again within it gets the same answer. */
export const sentAgainMs = 600_000

const holder = { actor: 'holder' }

interface LinkHoldingDeps {
  readonly links: LinkStore
  readonly clock: Clock
  readonly log: Log
}

/** A choice that would switch off everything is not kept. */
export interface ChoiceMade {
  readonly choices: Choices
  readonly isKept: boolean
  /** The link and its feed before the choice. */
  readonly before: LinkOfFeed
}

/** A replaced link, and the secret of the new one. */
export interface Replacement extends LinkOfFeed {
  readonly token: string
}

/** Whether the holder may change the link: one that is about to end, perhaps because strangers know it, is read-only. */
export function isHeld(link: Pick<FeedLink, 'endsAt' | 'awaitsPoll'>): boolean {
  return certainEnd(link) === null
}

/** Whether the holder may end or replace the link. One with several readers would affect all of them, so HR has to allow it. */
export function mayGiveUp({ feed, link }: LinkOfFeed): boolean {
  return isHeld(link) && (feed.audience === 'own' || feed.options.selfService)
}

/** What the holder of a link, known only by its secret, does on its page. */
export class LinkHolding {
  readonly #deps: LinkHoldingDeps

  constructor(deps: LinkHoldingDeps) {
    this.#deps = deps
  }

  /** As `chooseForLink`, by the holder. */
  choose({ link }: LinkOfFeed, form: unknown): Promise<ChoiceMade> {
    return chooseForLink({ ...this.#deps, by: holder }, link, form)
  }

  /**
   * Ends the link now and returns the secret of a new one. `forbidden` if the holder may not; `gone` if it has ended or was
   * replaced meanwhile; `too_many_requests`. With the key of a form (see `makeFormKey`), the secret follows from the key.
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
   * What the form with that key has done a short while ago, so that a second press of its button gets the same answer; only
   * the form knows the key. Undefined if it has done nothing, or if the new link has ended as well.
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

  /** Ends the link now; other links of the feed keep working. `forbidden` and `gone` as for `replace`. */
  async end(open: LinkOfFeed): Promise<void> {
    refuseToGiveUp(open)
    const auditEvent = this.#auditEvent('link_ended')
    if (!(await this.#deps.links.endByToken(open.link, auditEvent.at, auditEvent))) throw ended()
    tellOfFeed(this.#deps, auditEvent, open.feed, open.link.label)
  }

  #auditEvent(action: AuditAction): AuditEvent {
    return auditEventOf({ ...this.#deps, by: holder }, action)
  }
}

/**
 * Stores the choices of a form for this link. `invalid`; `forbidden` for what HR does not allow and for a link that is
 * about to end; `gone`; `too_many_requests`. Several at once are applied one after the other.
 */
export async function chooseForLink(
  deps: AuditDeps & { readonly links: LinkStore },
  link: FeedLink,
  form: unknown,
): Promise<ChoiceMade> {
  const auditEvent = { ...auditEventOf(deps, 'choices_changed'), mostADay: changesADayMax }
  const choiceOf = (now: LinkOfFeed): Omit<ChoiceMade, 'before'> => {
    refuseEnded(now.feed, now.link, deps.clock.now())
    if (!isHeld(now.link)) throw new AppError('forbidden', 'This address is about to end.')
    const choices = readChoices(now.feed, now.link.choices, form)
    return { choices, isKept: !showsNothing(now.feed, choices) }
  }
  const change = (now: LinkOfFeed): Choices => {
    const { choices, isKept } = choiceOf(now)
    return isKept ? choices : now.link.choices
  }
  const before = await deps.links.changeChoices(link, change, auditEvent)
  if (!before) throw ended()
  const made = choiceOf(before)
  const isNew = made.isKept && !isSameChoice(made.choices, before.link.choices)
  if (isNew) tellOfFeed(deps, auditEvent, before.feed, before.link.label)
  return { ...made, before }
}

function refuseToGiveUp(open: LinkOfFeed): void {
  if (!mayGiveUp(open)) throw new AppError('forbidden', 'This address is not the holder’s to end.')
}

function ended(): AppError {
  return new AppError('gone', 'This calendar has ended.')
}
