import { hash, randomBytes, createHmac } from 'node:crypto'

import type { AuditEvent } from './access/audit-entry.ts'
import type { FeedOptions, KindOptions } from './feed-options.ts'
import type { Feed, Locale } from './feed.ts'
import { type FeedKind, feedKinds } from './kinds.ts'
import { type LeaveProof, type LeaveDetail, lowerDetail } from './leave.ts'
import type { NextLedger, Publication } from './ledger.ts'
import type { Instant, Maybe } from './world.ts'

/** One secret address of a feed. Only the SHA-256 of its token is known. */
export interface FeedLink {
  readonly feedId: string
  readonly label: string
  readonly tokenHash: Uint8Array
  readonly createdAt: Instant
  /** When the link ends, or ended; null while it has no end. */
  readonly endsAt: Instant | null
  /** When it was told to end; null while it has no end. */
  readonly endingSince: Instant | null
  /** Whether the link, once ended, says so in a calendar for 30 days (true) or only by status 410 (false). */
  readonly purged: boolean
  /**
   * Whether it was mailed to who had lost theirs and no calendar program has asked for it yet. The first that does ends the
   * links mailed before it, and an end that this one was only given for lying unused.
   */
  readonly awaitsPoll: boolean
  /** What its holder has chosen for it; they end with it. */
  readonly choices: Choices
  readonly publication: Publication | null
}

/** When the link ends or ended; null while it has no end, or one only for as long as no calendar program asks for it. */
export function certainEnd({
  endsAt,
  awaitsPoll,
}: Pick<FeedLink, 'endsAt' | 'awaitsPoll'>): Instant | null {
  return awaitsPoll ? null : endsAt
}

/** By which a link is told from all others; a label goes on to the link that takes its place. */
export function linkName({ tokenHash }: Pick<FeedLink, 'tokenHash'>): string {
  const { buffer, byteOffset, byteLength } = tokenHash
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64url')
}

/** What the holder of a link has chosen for it; what is not there is as the feed has it. */
export interface Choices {
  /** Kinds that are not shown. */
  readonly hide?: readonly FeedKind[]
  readonly detail?: LeaveDetail
  readonly locale?: Locale
  /** Minutes before the start, or none where the feed has some. */
  readonly reminderMinutes?: number | 'none'
  /** Whether it was made to show only that somebody is away: who holds it cannot change that, whatever else it is allowed. */
  readonly onlyAway?: boolean
}

/** All that only says "Away". */
export const onlyAway: Choices = {
  hide: feedKinds.filter((kind) => kind !== 'leaves'),
  detail: 'absent',
  onlyAway: true,
}

/** What is chosen of all that can be: members without a value are left out. */
export function choicesOf({ hide, detail, locale, reminderMinutes, ...rest }: Wishes): Choices {
  return {
    ...(rest.onlyAway
      ? onlyAway
      : { ...(hide && hide.length > 0 ? { hide } : {}), ...(detail ? { detail } : {}) }),
    ...(locale ? { locale } : {}),
    ...(reminderMinutes == null ? {} : { reminderMinutes }),
  }
}

type Wishes = { readonly [K in keyof Choices]?: Maybe<Choices[K]> }

/** As they are kept; null where nothing is chosen. */
export function choicesText(choices: Choices): string | null {
  return Object.keys(choices).length === 0 ? null : JSON.stringify(choices)
}

/**
 * The feed as a link shows it: the one place where its holder's choices hold, and only where `selfService` is on; but what
 * a link was made not to show it never shows. They hide and lower what the feed's options show, and never show more.
 */
export function shownFeed<T extends Pick<Feed, 'options' | 'locale'>>(
  feed: T,
  { choices }: Pick<FeedLink, 'choices'>,
): T {
  const bounded = boundedFeed(feed, { choices })
  const { options, locale } = bounded
  if (!options.selfService) return bounded
  return { ...feed, locale: choices.locale ?? locale, options: shownOptions(options, choices) }
}

/** The feed as far as a link may show it, whatever its holder chooses. */
export function boundedFeed<T extends Pick<Feed, 'options'>>(
  feed: T,
  { choices }: Pick<FeedLink, 'choices'>,
): T {
  if (!choices.onlyAway) return feed
  const { options } = feed
  return { ...feed, options: { ...options, ...shownKinds(options, onlyAway) } }
}

function shownOptions(options: FeedOptions, choices: Choices): FeedOptions {
  const { reminderMinutes = options.reminderMinutes } = choices
  return {
    ...options,
    ...shownKinds(options, choices),
    reminderMinutes: reminderMinutes === 'none' ? null : reminderMinutes,
  }
}

function shownKinds(options: KindOptions, { hide = [], detail }: Choices): KindOptions {
  const shown = (kind: FeedKind): { show: boolean } => ({
    show: options[kind].show && !hide.includes(kind),
  })
  const { leaves, shifts, timesheets, tasks, invoices } = options
  const lowered = detail ? lowerDetail(leaves.detail, detail) : leaves.detail
  return {
    leaves: { ...leaves, ...shown('leaves'), detail: lowered },
    shifts: { ...shifts, ...shown('shifts') },
    timesheets: { ...timesheets, ...shown('timesheets') },
    tasks: { ...tasks, ...shown('tasks') },
    invoices: { ...invoices, ...shown('invoices') },
  }
}

/** A link and what it is a link to. */
export interface LinkOfFeed {
  readonly feed: Feed
  readonly link: FeedLink
}

/**
 * The links of feeds; one that has ended stays, so that its token is known to have ended. Where a method is told the audit event, it
 * is noted together with what it changes, or not at all.
 */
export interface LinkStore {
  /** The link of that token and its feed, ended, revoked and closed ones as well. */
  findByTokenHash(tokenHash: Uint8Array): Promise<LinkOfFeed | undefined>
  /** The basis of the link of that token as it stands now, by one read. */
  findBasis(of: BasisNames, seen: BasisFound['seen']): Promise<BasisFound>
  listLinks(feedIds: readonly string[]): Promise<readonly FeedLink[]>
  /** The links that have not ended by then, of open feeds of that person whose options say that leaves are shown in full. */
  listLinksInFull(companyId: string, userId: string, now: Instant): Promise<readonly LinkOfFeed[]>
  /**
   * `conflict` if the label is in use by a link of the feed that has not ended. An ended link of that label is renamed
   * apart; the new one goes on with its ledger. Fails as the check of all links that the feed has: between that and the new
   * one no node makes another.
   */
  createLink(link: FeedLink, auditEvent?: AuditEvent, check?: LinksCheck): Promise<void>
  /**
   * Ends a link, with `purged` after 30 days of a calendar that says so; one that ends earlier anyway keeps its end.
   * False if there is none of that label.
   */
  endLink(feedId: string, label: string, end: NamedEnd, auditEvent?: AuditEvent): Promise<boolean>
  /** Ends the very link, unless it ends earlier anyway; false where it has begun to end already. */
  endThis(link: FeedLink, endsAt: Instant, auditEvent?: AuditEvent): Promise<boolean>
  /**
   * Keeps what that makes of the link as it is stored. Of several changes at once each is made of what the one before
   * has left, so none is lost. Gives the link as it was before; undefined where there is none.
   */
  changeChoices(
    link: FeedLink,
    change: ChoiceChange,
    auditEvent?: AuditEvent,
  ): Promise<LinkOfFeed | undefined>
  /**
   * Puts a link in the place of the one of its label, which is renamed apart, with all that is known of its clients,
   * and ends; what that was made not to show this one does not show either. Both go on with its ledger, each for itself. False if there is none of that label, or not the one
   * that was meant. Fails as the check, which is as for a link that is created.
   */
  rotateLink(
    link: FeedLink,
    old: RotatedLink,
    auditEvent?: AuditEvent,
    check?: LinksCheck,
  ): Promise<boolean>
  /**
   * Adds a link that is mailed. One that has its label goes on, renamed; those that nobody has used are bounded in number
   * and time, as `before` says. Gives what was done to which link.
   */
  mailLink(
    link: FeedLink,
    before: MailedBefore,
    by: Omit<AuditEvent, 'action'>,
  ): Promise<readonly LinkAuditEvent[]>
  /**
   * Notes that a calendar program has asked for a link that awaited that: it goes on, and those of its feed that were mailed
   * before end. Gives the ends; none where another node has noted it already, or the link has ended.
   */
  takeUp(
    link: FeedLink,
    isBefore: (other: FeedLink) => boolean,
    by: Omit<AuditEvent, 'action'>,
  ): Promise<readonly LinkAuditEvent[]>
  /**
   * Stores what a link now serves, if it still served `before`, together with its ledger where that has changed, as
   * `LedgerStore.saveLedger` does; false otherwise, and neither is stored.
   */
  savePublication(
    link: FeedLink,
    before: Publication | null,
    now: Publication,
    ledger?: NextLedger,
  ): Promise<boolean>
}

const tokenPattern = /^cfb_[A-Za-z0-9_-]{43}$/

/** A new secret: `cfb_` and 32 random bytes in base64url (RFC 4648 section 5). */
export function makeToken(): string {
  return `cfb_${randomBytes(32).toString('base64url')}`
}

/** The SHA-256 by which a token is known in the store, or undefined for what cannot be a token. */
export function hashToken(token: string): Uint8Array | undefined {
  return tokenPattern.test(token) ? hash('sha256', token, 'buffer') : undefined
}

/** The name of the link of that token, if there is one. */
export function nameOfToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** Of links (`cfb_`), of the API (`cft_`), of sign-ins and of browsers that are about to sign in (`cfs_`). */
const secrets = /(cf[bst]_)[A-Za-z0-9_-]{43}/g

/** The text with every secret that the program has made blotted out, however it came into it: for logs and errors. */
export function withoutTokens(text: string): string {
  return text.replace(secrets, '$1…')
}

/** For so many days an old link goes on at most. */
export const graceDaysMax = 365

/** What becomes of a link that another one replaces. */
export interface RotatedLink {
  /** Where it is given the link must be this very one and have no end yet: another may have its label meanwhile. */
  readonly tokenHash?: Uint8Array
  /** Its new label; a number is added where that is taken. */
  readonly label: string
  readonly endsAt: Instant
}

/** What becomes of the links of a feed that were mailed before another one is. */
export interface MailedBefore {
  /** The new label of the one that has the label; a number is added where that is taken. */
  readonly label: string
  /** When those end that no calendar program has asked for, unless one does until then. */
  readonly unusedEndAt: Instant
  /** How many, with the new one, may go on that nobody at all has asked for; the oldest end now. */
  readonly untouchedMax: number
}

/** What was done to the link of that label. */
export interface LinkAuditEvent {
  readonly auditEvent: AuditEvent
  readonly label: string
}

/** When a link ends, and whether a calendar then says so for 30 days. */
export interface NamedEnd {
  readonly endsAt: Instant
  readonly purged?: boolean
}

/** Throws what refuses one more link of a feed that has these, ended ones among them. */
export type LinksCheck = (links: readonly FeedLink[]) => void

/** The choices that a link is to have; those that it has change nothing. */
export type ChoiceChange = (now: LinkOfFeed) => Choices

/** What of the choices of a link goes on with the link that takes its place: not what its holder chose, but what its holder must not see. */
export function lastingChoices({ choices }: Pick<FeedLink, 'choices'>): Choices {
  return choices.onlyAway ? onlyAway : {}
}

/** The key of a form that puts a new secret in the place of a link's: as random as the secret. */
export function makeReplacementKey(): string {
  return randomBytes(32).toString('base64url')
}

/** The secret that a form with that key puts in the place of the link's, however often it is sent: of another key another. */
export function replacementToken(key: string, { feedId, tokenHash }: FeedLink): string {
  return tokenOfForm(key, feedId, Buffer.from(tokenHash).toString('base64url'))
}

/** The secret that a form with that key gives to what it makes, however often it is sent: to anything else another. */
export function tokenOfForm(key: string, ...made: readonly string[]): string {
  return `cfb_${createHmac('sha256', key).update(JSON.stringify(made)).digest('base64url')}`
}

/** By which all that a link's calendar is made of is found. */
export interface BasisNames {
  /** The link's, in hexadecimal digits. */
  readonly tokenHash: string
  readonly connectionId: string
  /** JSON of the keys of its copies. */
  readonly keys: string
}

/** What is found of a link's basis. */
export interface BasisFound {
  /** Empty where there is no such link; null where nothing at all was written since what had been seen. */
  readonly basis: string | null
  /** By which that is known the next time; null where it has to be looked up each time. */
  readonly seen: number | null
}

/** All that decides what a link is answered with now. */
export interface BasisParts {
  readonly feed: Pick<Feed, 'revision' | 'leavesShown' | 'revokedAt' | 'purgedAt' | 'closedAt'>
  readonly link: Pick<FeedLink, 'endsAt' | 'purged' | 'choices' | 'publication'>
  readonly proof: Pick<LeaveProof, 'state' | 'reason' | 'since'>
  /** Of the copies the key and the hash of their content, in order of the keys' bytes, a line each: `key=hash`. */
  readonly contents: string
  /** The feed's people who have left, in order of their ids' bytes, a line each: ids hold spaces, but no ends of lines. */
  readonly departed: string
}
