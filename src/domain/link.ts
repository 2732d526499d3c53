import { hash } from 'node:crypto'

import type { AuditEvent } from './access/audit-entry.ts'
import type { Creation } from './creation.ts'
import { inLanguage } from './feed-name.ts'
import type { FeedOptions } from './feed-options.ts'
import { type Feed, type Locale, locales } from './feed.ts'
import { type FeedKind, feedKinds, namesIn } from './kinds.ts'
import {
  type LeaveDetail,
  leaveDetails,
  type LeaveForm,
  leaveForms,
  type LeaveProof,
  type LeaveShownAs,
  leaveShownAs,
} from './leave.ts'
import type { NextLedger, Publication } from './ledger.ts'
import type { PersonInCompany } from './person.ts'
import {
  type ShiftForm,
  shiftForms,
  shiftsShowAs,
  type ShiftsShownAs,
  shiftsShownAs,
} from './schedule.ts'
import { type TimesheetForm, timesheetForms } from './timesheet.ts'
import { dayMs, type Instant, type Maybe } from './world.ts'

/** One secret address of a feed. Only the hash of its token is known. */
export interface FeedLink {
  readonly feedId: string
  readonly label: string
  readonly tokenHash: Uint8Array
  readonly createdAt: Instant
  readonly endsAt: Instant | null
  readonly endingSince: Instant | null
  /** Whether the ended link says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  /**
   * Whether it was mailed and no calendar program has asked for it yet. The first that does ends the links mailed before it,
   * and cancels an end that this link has only because it is unused.
   */
  readonly awaitsPoll: boolean
  readonly choices: Choices
  readonly publication: Publication | null
}

/** When the link ends or ended; null while it has no end, or one that a first poll would cancel. */
export function certainEnd({
  endsAt,
  awaitsPoll,
}: Pick<FeedLink, 'endsAt' | 'awaitsPoll'>): Instant | null {
  return awaitsPoll ? null : endsAt
}

/** Tells links apart for ever; a label passes on to the next link. */
export function linkName({ tokenHash }: Pick<FeedLink, 'tokenHash'>): string {
  return Buffer.from(tokenHash).toString('base64url')
}

/** Names a link in sync tokens and sync histories: short, since only the links of one feed must differ. */
export function syncName(link: Pick<FeedLink, 'tokenHash'>): string {
  return linkName(link).slice(0, 8)
}

export function nameOfToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** What the holder of a link has chosen; anything left out is as the feed has it. */
export interface Choices extends Partial<Chosen> {
  readonly hide?: readonly FeedKind[]
  /** Whether the link was made to show only "Away": its holder cannot change that. */
  readonly onlyAway?: boolean
}

interface Chosen {
  readonly detail: LeaveDetail
  /** Only in calendars for others. */
  readonly leavesAs: LeaveForm
  readonly leavesShowAs: LeaveShownAs
  readonly shiftsAs: ShiftForm
  readonly shiftsShowAs: ShiftsShownAs
  readonly timesheetsAs: TimesheetForm
  readonly locale: Locale
  readonly reminderMinutes: number | 'none'
}

export type ChoiceName = keyof Chosen

type ChosenFeed = Pick<Feed, 'audience' | 'options' | 'locale'> &
  Partial<Pick<Feed, 'name' | 'namedAfter' | 'team' | 'defaults'>>

interface ChoiceRule<Value> {
  /** Left out for minutes: 0 to `reminderMinutesMax`, or 'none'. */
  readonly values?: readonly (Value & string)[]
  readonly of: (feed: ChosenFeed) => Value
  /** What the value changes in the feed; it never shows more than the feed allows. */
  readonly change: (feed: ChosenFeed, value: Value) => Partial<ChosenFeed>
}

const leavesAs = lowered(
  leaveForms,
  ({ leaves }) => leaves.as,
  ({ leaves }, as) => ({ leaves: { ...leaves, as } }),
)

/**
 * Everything that a holder can choose besides hiding kinds, in the order in which links store it. Schemas, the form and its
 * checks follow from this.
 */
const choiceTable: { readonly [Name in ChoiceName]: ChoiceRule<Chosen[Name]> } = {
  detail: lowered(
    leaveDetails,
    ({ leaves }) => leaves.detail,
    ({ leaves }, detail) => ({ leaves: { ...leaves, detail } }),
  ),
  leavesAs: {
    ...leavesAs,
    change: (feed, wanted) => (feed.audience === 'others' ? leavesAs.change(feed, wanted) : {}),
  },
  leavesShowAs: lowered(
    leaveShownAs,
    ({ leaves }) => leaves.showAs,
    ({ leaves }, showAs) => ({ leaves: { ...leaves, showAs } }),
  ),
  shiftsAs: lowered(
    shiftForms,
    ({ shifts }) => shifts.as,
    ({ shifts }, as) => ({ shifts: { ...shifts, as } }),
  ),
  shiftsShowAs: lowered(
    shiftsShownAs,
    ({ shifts }) => shiftsShowAs(shifts),
    ({ shifts }, showAs) => ({ shifts: { ...shifts, showAs } }),
  ),
  timesheetsAs: lowered(
    timesheetForms,
    ({ timesheets }) => timesheets.as,
    ({ timesheets }, as) => ({ timesheets: { ...timesheets, as } }),
  ),
  locale: {
    values: locales,
    of: ({ locale }) => locale,
    change: inLanguage,
  },
  reminderMinutes: {
    of: ({ options }) => options.reminderMinutes ?? 'none',
    change: ({ options }, wanted) => ({
      options: { ...options, reminderMinutes: wanted === 'none' ? null : wanted },
    }),
  },
}

/** The choice of an option's value from a list, the least first: the holder can only lower it. */
function lowered<Value extends string>(
  values: readonly Value[],
  optionOf: (options: FeedOptions) => Value,
  withOption: (options: FeedOptions, value: Value) => Partial<FeedOptions>,
): ChoiceRule<Value> {
  return {
    values,
    of: ({ options }) => optionOf(options),
    change: ({ options }, wanted) => {
      const set = optionOf(options)
      const value = values.find((it) => it === wanted || it === set) ?? set
      return { options: { ...options, ...withOption(options, value) } }
    },
  }
}

export const choiceNames = namesIn(choiceTable)

/** The values of a choice, or undefined for minutes: 0 to `reminderMinutesMax`, or 'none'. */
export function choiceValues(name: ChoiceName): readonly string[] | undefined {
  return choiceTable[name].values
}

export function valueIn(feed: ChosenFeed, name: ChoiceName): string | number {
  return choiceTable[name].of(feed)
}

export const onlyAway: Choices = {
  hide: feedKinds.filter((kind) => kind !== 'leaves'),
  detail: 'absent',
  onlyAway: true,
}

/** The choices without those that choose nothing. */
export function choicesOf(all: { readonly [K in keyof Choices]?: Maybe<Choices[K]> }): Choices
export function choicesOf({
  hide,
  onlyAway: isBound,
  ...others
}: { readonly [K in keyof Choices]?: Maybe<Choices[K]> }): object {
  const chosen = Object.entries(others).filter(([, value]) => value !== null && value !== undefined)
  const first = isBound ? onlyAway : hide && hide.length > 0 ? { hide } : {}
  return { ...first, ...Object.fromEntries(chosen), ...(isBound ? onlyAway : {}) }
}

export function choicesText(choices: Choices): string | null {
  return Object.keys(choices).length === 0 ? null : JSON.stringify(choices)
}

/** What the holder of a link must not see, whatever they choose. */
function imposedChoices({ choices }: Pick<FeedLink, 'choices'>): Choices {
  return choices.onlyAway ? onlyAway : {}
}

/** The feed as a link shows it: never more than the feed's options, and choices only count where `selfService` is on. */
export function shownFeed<T extends ChosenFeed>(feed: T, link: Pick<FeedLink, 'choices'>): T {
  const chosen = feed.options.selfService ? link.choices : {}
  return withChoices(feed, { ...chosen, ...imposedChoices(link) })
}

/** The feed as far as a link may show it, whatever its holder chooses. */
export function boundedFeed<T extends ChosenFeed>(feed: T, link: Pick<FeedLink, 'choices'>): T {
  return withChoices(feed, imposedChoices(link))
}

export function withChoices<T extends ChosenFeed>(feed: T, choices: Choices): T {
  const { options } = feed
  const hidden = (choices.hide ?? []).map((kind) => [kind, { ...options[kind], show: false }])
  let shown: ChosenFeed = { ...feed, options: { ...options, ...Object.fromEntries(hidden) } }
  for (const name of choiceNames) shown = changed(shown, name, choices)
  return { ...feed, ...shown }
}

function changed<Name extends ChoiceName>(
  feed: ChosenFeed,
  name: Name,
  { [name]: value }: { readonly [N in Name]?: Chosen[N] },
): ChosenFeed {
  return value === undefined ? feed : { ...feed, ...choiceTable[name].change(feed, value) }
}

export interface LinkOfFeed {
  readonly feed: Feed
  readonly link: FeedLink
}

/** The links of feeds, ended ones included. An audit event is noted in the same transaction as the change. */
export interface LinkStore {
  findByTokenHash(tokenHash: Uint8Array): Promise<LinkOfFeed | undefined>
  findBasis(of: BasisNames, seen: BasisFound['seen']): Promise<BasisFound>
  listLinks(feedIds: readonly string[]): Promise<readonly FeedLink[]>
  /** The links, not ended by then, of that person's open feeds that show leaves in full. */
  listLinksInFull(companyId: string, userId: string, now: Instant): Promise<readonly LinkOfFeed[]>
  /**
   * `conflict` if a link with that label has not ended; an ended one is renamed, and the new link continues its ledger.
   * Fails as `check` does; between the check and the new link no node makes another.
   */
  createLink(
    link: FeedLink,
    auditEvent?: AuditEvent,
    check?: (links: readonly FeedLink[]) => void,
  ): Promise<void>
  /** Ends a link, but never later than it ends anyway. Whether that changed its end; undefined if no link has that label. */
  endLink(
    feedId: string,
    label: string,
    end: { readonly endsAt: Instant; readonly purged?: boolean },
    auditEvent?: AuditEvent,
  ): Promise<boolean | undefined>
  endByToken(link: FeedLink, endsAt: Instant, auditEvent?: AuditEvent): Promise<boolean>
  /** The link goes on without an end; false if it no longer has the given one. */
  reopenLink(link: FeedLink, auditEvent?: AuditEvent): Promise<boolean>
  /** Changes what is stored, so that of changes at the same time none is lost. Gives the link as it was. */
  changeChoices(
    link: FeedLink,
    change: (now: LinkOfFeed) => Choices,
    auditEvent?: AuditEvent,
  ): Promise<LinkOfFeed | undefined>
  /**
   * Puts a link in the place of the one with its label. The old one is renamed and ends; the new one takes over its
   * label, its ledger and its choices. False if there is no such link. `check` as in `createLink`.
   */
  rotateLink(
    link: FeedLink,
    old: {
      /** If given, it must be this very link, and still without an end. */
      readonly tokenHash?: Uint8Array
      /** Its new label; a number is added if that is taken. */
      readonly label: string
      readonly endsAt: Instant
    },
    auditEvent?: AuditEvent,
    check?: (links: readonly FeedLink[]) => void,
    /** Stored in the same transaction; `conflict` if its key is stored already. */
    once?: Creation,
  ): Promise<boolean>
  /** Adds a link that is mailed, and limits the links mailed before it as `before` says. Tells what was done to which link. */
  mailLink(
    link: FeedLink,
    before: {
      /** The new label of the last one; a number is added if that is taken. */
      readonly label: string
      /** When those end that no calendar program has asked for. */
      readonly unusedEndAt: Instant
      /** How many, including the new one, may go on that nothing at all has asked for; the oldest end now. */
      readonly untouchedMax: number
    },
    by: Omit<AuditEvent, 'action'>,
  ): Promise<readonly LinkAuditEvent[]>
  /**
   * A calendar program has asked for a link that awaited a poll: it goes on, and the links mailed before it end. Gives
   * the ends; none if another node was faster, or the link has ended.
   */
  takeUp(
    link: FeedLink,
    isBefore: (other: FeedLink) => boolean,
    by: Omit<AuditEvent, 'action'>,
  ): Promise<readonly LinkAuditEvent[]>
  /** Stores what a link serves now, and its ledger if that has changed, unless it no longer serves `before`. */
  savePublication(
    link: FeedLink,
    before: Publication | null,
    now: Publication,
    ledger?: NextLedger,
  ): Promise<boolean>
}

export const graceDaysMax = 365

/** When the address ends that a new link replaces; undefined if it has ended. */
export function oldEndOf(
  { createdAt }: { readonly createdAt: string },
  graceDays: number,
): Instant | undefined {
  return graceDays === 0 ? undefined : Date.parse(createdAt) + graceDays * dayMs
}

export interface LinkAuditEvent {
  readonly auditEvent: AuditEvent
  readonly label: string
}

export interface BasisNames {
  readonly tokenHash: string
  readonly connectionId: string
  readonly keys: string
}

export interface BasisFound {
  /** Empty if there is no such link; null if nothing was written since `seen`. */
  readonly basis: string | null
  /** Passed on to the next look-up; null where the database has no such mark. */
  readonly seen: number | null
}

/** Everything that decides what a link is answered with now. */
export interface BasisParts {
  readonly feed: Pick<
    Feed,
    'revision' | 'defaults' | 'leavesShown' | 'revokedAt' | 'purgedAt' | 'closedAt'
  >
  readonly link: Pick<FeedLink, 'endsAt' | 'purged' | 'choices' | 'publication'>
  readonly proof: Pick<LeaveProof, 'state' | 'reason' | 'since'>
  /** A line `key=hash` for each copy, in the order of the keys' bytes. */
  readonly contents: string
  /** A line for each of the feed's people who has left, in the order of the ids' bytes. */
  readonly departed: string
}

/** The label of a link that is mailed; the one mailed before is renamed. */
export const mailedLabel = 'mail'

export interface LostLinkStore {
  /** Notes one turn, on any node; false if the person had `most` turns since that instant. Older ones are forgotten. */
  takeTurn(
    person: PersonInCompany,
    at: { readonly now: Instant; readonly since: Instant; readonly most: number },
  ): Promise<boolean>
  /** Forgets the turn taken at that instant, because nothing was mailed. */
  returnTurn(person: PersonInCompany, now: Instant): Promise<void>
}
