import type { ClientActivity, LinkPolls } from './activity.ts'
import type { Creation } from './creation.ts'
import type { KeptExamination } from './examination.ts'
import type { Feed, FeedLink, Publication } from './feed.ts'
import type { Instant, Maybe } from './instant.ts'
import type { Invoice } from './invoice.ts'
import type { CollectionKind } from './kinds.ts'
import type { LeaveProof } from './leave-proof.ts'
import type { Leave } from './leave.ts'
import type { Ledger } from './ledger.ts'
import type { Schedule } from './schedule.ts'
import type { Snapshot, SnapshotHead } from './snapshot.ts'
import type { Task } from './task.ts'
import type { Timesheet } from './timesheet.ts'
import type { User } from './user.ts'

/** The world's time, so that tests can set it. */
export interface Clock {
  now(): Instant
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** What a list operation brought: the records that fit, and what was set aside. */
export interface Answer<T> {
  /** In the order of the answer; of records with one id only the last. */
  readonly records: readonly T[]
  readonly faults: readonly RecordFault[]
  readonly duplicates: number
}

/** Records of one answer that do not fit the spec at one field: how many, and where the first one stands. No values. */
export interface RecordFault {
  /** `leaves`, `timesheets`, … */
  readonly resource: string
  /** The field within the record, array indices left out: `leaveType.name`, `entries.date`. */
  readonly field: string
  readonly count: number
  /** Path of the first one within the answer: `data[3].leaveType.name`. */
  readonly example: string
  /** What would be right: "expected string". */
  readonly expected: string
}

export interface TimesheetFilter {
  readonly employee?: string
  readonly status?: string
  /** Only timesheets whose periodStart is at or after it. */
  readonly from?: Instant
  /** Only timesheets whose periodEnd is at or before it. */
  readonly to?: Instant
}

export interface LeaveFilter {
  readonly employee?: string
  readonly status?: string
}

export interface ScheduleFilter {
  readonly type?: string
  readonly active?: boolean
}

/**
 * One company's Read API. A filter whose parameter has no name is not sent; nothing is promised about
 * whether the API honours one. Every method fails with
 * - `upstream_unavailable`: not reached, timed out, 429, 5xx, or paused after many failures (`retryAfterMs` where known);
 * - `upstream_rejected`: any other status than 200, 404 and 410 (`status`), 401 and 403 among them;
 * - `upstream_not_found`: 404 or 410 (`status`);
 * - `upstream_invalid`: an answer that is not what the spec describes, too large, or endless.
 */
export interface WorkforceApi {
  listTimesheets(filter: TimesheetFilter, signal?: AbortSignal): Promise<Answer<Timesheet>>
  listLeaves(filter: LeaveFilter, signal?: AbortSignal): Promise<Answer<Leave>>
  listTasks(projectId: string, signal?: AbortSignal): Promise<Answer<Task>>
  listSchedules(filter: ScheduleFilter, signal?: AbortSignal): Promise<Answer<Schedule>>
  getUser(id: string, signal?: AbortSignal): Promise<User>
  getInvoice(id: string, signal?: AbortSignal): Promise<Invoice>
}

/** The feeds and their links. */
export interface FeedStore {
  /** Adds a feed with its first link; `conflict` if the id or the token exists. */
  createFeed(feed: Feed, link: FeedLink): Promise<void>
  /** Adds feeds, each with its first link, and notes the creation: all or nothing. `conflict` if an id, a token or the key exists. */
  createFeeds(feeds: readonly FeedWithLink[], creation?: Creation): Promise<void>
  /**
   * Adds those of the feeds whose company, users and name no unrevoked feed has, in one step against all other such
   * calls; gives the ids of those added.
   */
  createMissingFeeds(feeds: readonly FeedWithLink[]): Promise<ReadonlySet<string>>
  /** What was made under that key, while it is known. */
  findCreation(keyHash: string): Promise<Creation | undefined>
  findFeed(id: string): Promise<Feed | undefined>
  /** The link of that token and its feed, ended, revoked and closed ones as well. */
  findByTokenHash(tokenHash: Uint8Array): Promise<{ feed: Feed; link: FeedLink } | undefined>
  /** In order of creation, then id; a page holds at most `limit`. */
  listFeeds(filter: FeedFilter): Promise<readonly Feed[]>
  /** Replaces the feed if its revision in the store is `feed.revision - 1`; false otherwise. */
  updateFeed(feed: Feed): Promise<boolean>
  /** Notes that leaves have shaped the feed; the revision stays. */
  markLeavesShown(feedId: string): Promise<void>
  listLinks(feedIds: readonly string[]): Promise<readonly FeedLink[]>
  /** `conflict` if the label is in use by a link of the feed that has not ended. An ended link of that label is renamed apart. */
  createLink(link: FeedLink): Promise<void>
  /**
   * Ends a link, with `purged` after 30 days of a calendar that says so; one that ends earlier anyway keeps its end.
   * False if there is none of that label.
   */
  endLink(feedId: string, label: string, endsAt: Instant, purged?: boolean): Promise<boolean>
  /**
   * Puts a link in the place of the one of its label, which is renamed apart, with all that is known of its clients,
   * and ends. False if there is none of that label.
   */
  rotateLink(link: FeedLink, old: RotatedLink): Promise<boolean>
  /** Stores what a link now serves, if it still served `before`; false otherwise. */
  savePublication(link: FeedLink, before: Publication | null, now: Publication): Promise<boolean>
}

export interface FeedWithLink {
  readonly feed: Feed
  readonly link: FeedLink
}

/** What becomes of a link that another one replaces. */
export interface RotatedLink {
  /** Its new label; a number is added where that is taken. */
  readonly label: string
  readonly endsAt: Instant
}

export interface FeedFilter {
  readonly companyId?: Maybe<string>
  readonly userId?: Maybe<string>
  /** Only feeds of exactly this name. */
  readonly name?: Maybe<string>
  /** Only feeds that have not been revoked. */
  readonly unrevoked?: Maybe<boolean>
  /** Only feeds after this one in the order of the list. */
  readonly after?: Maybe<{ readonly createdAt: Instant; readonly id: string }>
  readonly limit: number
}

/** The last good copies, per connection. */
export interface SnapshotStore {
  findHeads(connectionId: string, keys: readonly string[]): Promise<readonly SnapshotHead[]>
  findSnapshot<K extends CollectionKind>(
    connectionId: string,
    key: string,
  ): Promise<Snapshot<K> | undefined>
  /** Keeps the copy, unless one that began later is there already or the user `whileInFeed` is in no feed; true if it was kept. */
  keepSnapshot(connectionId: string, snapshot: Snapshot, whileInFeed?: string): Promise<boolean>
  /** Notes that the kept content was confirmed, unless a refresh that began later was kept meanwhile; true if it was noted. */
  confirmSnapshot(connectionId: string, head: SnapshotHead): Promise<boolean>
  dropSnapshots(connectionId: string, keys: readonly string[]): Promise<void>
}

/** What each feed showed last, event by event. */
export interface LedgerStore {
  /** The feed's ledger and its version; an empty one of version 0 where none is kept. */
  findLedger(feedId: string): Promise<Ledger>
  /** Keeps the ledger with the next version, if the kept one is still of `ledger.version` and the feed is there; false otherwise. */
  saveLedger(feedId: string, ledger: Ledger): Promise<boolean>
}

/** What is known of a connection's employee filter of leaves, and whose each leave is. */
export interface LeaveProofStore {
  findProof(connectionId: string): Promise<LeaveProof>
  saveProof(connectionId: string, proof: LeaveProof): Promise<void>
  /**
   * Claims the leaves for the user, in one step against all other claims of the connection, and gives
   * those that another user has claimed too. Claims are kept, contested ones included. With `onlyInFeed` nothing is
   * claimed for a user who is in no feed (any more).
   */
  claimLeaves(
    connectionId: string,
    userId: string,
    leaveIds: readonly string[],
    onlyInFeed?: boolean,
  ): Promise<readonly ContestedLeave[]>
  /** The leaves that more than one user has claimed. */
  listContested(connectionId: string): Promise<readonly ContestedLeave[]>
  /** Withdraws one user's claims on these leaves. */
  withdrawClaims(connectionId: string, userId: string, leaveIds: readonly string[]): Promise<void>
}

export interface ContestedLeave {
  readonly leaveId: string
  readonly userIds: readonly string[]
}

/** Who asked for which link, and when. */
export interface ActivityStore {
  /** Adds what has happened since the last call; polls of links that are no more are left out. */
  addActivity(polls: readonly LinkPolls[]): Promise<void>
  listActivity(feedIds: readonly string[]): Promise<readonly ClientActivity[]>
}

/** The last examination of each connection. */
export interface ExaminationStore {
  findExamination(connectionId: string): Promise<KeptExamination | undefined>
  /** Replaces what was kept. */
  keepExamination(connectionId: string, kept: KeptExamination): Promise<void>
}

/** Asks a connection's Read API otherwise than its settings say, so that wrong settings can be told from right ones. */
export interface ExaminationProbe {
  /** As it is set. */
  readonly baseUrl: string
  /** The setting of the credential with its secrets left out: `none`, `bearer:TOKEN`, `header:X-Key:VALUE`. */
  readonly credential: string
  /** One GET, sent once, no page but the first. Fails with `upstream_unavailable` or `upstream_invalid` where no readable answer comes. */
  ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer>
}

export interface ProbeQuestion {
  /** Below `/api/public/v1/`: `leaves`, `projects/prj_1/tasks`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** In place of the one that is set. */
  readonly baseUrl?: string
  /** How the secret that is set is sent, if at all, in place of the way that is set. */
  readonly credential?: ProbeCredential
}

export type ProbeCredential =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'bearer' }
  | { readonly scheme: 'header'; readonly name: string }

export interface ProbeAnswer {
  readonly status: number
  /** Of a 200 with `{data: […]}`; null for any other answer. */
  readonly records: readonly unknown[] | null
  /** Whether a `Link` header field names a next page (RFC 8288). */
  readonly hasNext: boolean
  /** The `WWW-Authenticate` header field (RFC 9110 section 11.6.1), empty where there is none. */
  readonly challenge: string
  /** Where a redirect leads, without query and fragment; null where the answer is none. */
  readonly redirectsTo: string | null
}

/** Where the program says what happens: one word for the event, data without secrets. */
export interface Log {
  debug(data: object, event: string): void
  info(data: object, event: string): void
  warn(data: object, event: string): void
  error(data: object, event: string): void
}
