import type { CalendarWindow } from '../calendar/local-time.ts'
import type { CollectionState } from '../copies/failures.ts'
import { type CollectionRequest, kinds } from '../copies/kinds.ts'
import type { FreshnessSettings } from '../copies/refresher.ts'
import { collectionKey, collectionOf, type CopyHead, holdsRecords } from '../domain/copy.ts'
import { AppError, StoreUnavailable } from '../domain/errors.ts'
import { isTooLargeByDefaults } from '../domain/feed-size.ts'
import type { Feed } from '../domain/feed.ts'
import type { LeaveProof, LeaveProofReason } from '../domain/leave.ts'
import { minuteMs, type Instant } from '../domain/world.ts'
import type { OpenLink } from './open-link.ts'

const retryAfterMs = 300_000

/** What of a feed can be served now. */
export interface Serviceability {
  readonly heads: readonly CopyHead[]
  /** Age of the oldest shown copy that could not be refreshed, or is still being refreshed; null if there is none. */
  readonly staleForMs: number | null
  /** Why leave is missing; null if it is shown or not wanted. */
  readonly leavesMissing: LeaveProofReason | 'unproven' | null
}

/** The state of a link, before its calendar is made. */
export interface CalendarState extends OpenLink {
  readonly states: readonly CollectionState[]
  readonly proof: LeaveProof
  /** People of the feed who have left. */
  readonly departed: readonly string[]
  readonly window: CalendarWindow
  readonly at: Instant
  readonly serviceability: Serviceability
  readonly fingerprint: string
}

interface FeedSituation {
  readonly feed: Feed
  readonly states: readonly CollectionState[]
  /** Left out for a calendar that is written once. */
  readonly wasServed?: boolean
  readonly proof: LeaveProof
  readonly now: Instant
  readonly staleMs: number
}

/**
 * Decides between the last good calendar, one without leave, and none. Clients delete what is missing, so anything less
 * than before is `unavailable` instead.
 */
export function serviceability(situation: FeedSituation): Serviceability {
  const { states, now, feed } = situation
  if (isTooLargeByDefaults(feed)) {
    throw unavailable('The company’s defaults give this calendar too many shifts to be shown.')
  }
  const shown = states.filter((state) => !isBeside(state, feed))
  const withheld = shown.filter((state) => isWithheld(state, situation))
  const served = shown.filter((state) => !withheld.includes(state) && !isLeftOut(state, situation))
  if (withheld.some(({ request }) => wasShown(request, feed))) {
    throw unavailable('The leave in this calendar cannot be verified at the moment.')
  }
  const unread = served.filter(({ head }) => !head)
  const isTooLate = served.length > 0 && served.every((state) => isTooOld(state, situation))
  if ((isTooLate ? served : unread).some(({ notStored }) => notStored)) {
    throw new StoreUnavailable('The database has not taken what the workforce system answered.')
  }
  if (unread.length > 0) throw unavailable('The workforce system has not answered yet.')
  const heads = served.flatMap(({ head }) => head ?? [])
  if (isTooLate) throw unavailable('The workforce system has not answered for too long.')
  return {
    heads: [...heads, ...headsBeside(states, feed)],
    staleForMs: staleForMs(served, now),
    leavesMissing: withheld.length > 0 ? (situation.proof.reason ?? 'unproven') : null,
  }
}

/** A calendar can be served without names, and without schedules that only say on which days nobody works. */
function isBeside(
  { request: { collection } }: CollectionState,
  { options }: Pick<Feed, 'options'>,
): boolean {
  return collection.kind === 'user' || (collection.kind === 'schedules' && !options.shifts.show)
}

/** Leave without a proven copy, or with one a filter disproved, or an id misnamed, for longer than `staleMs`. */
function isWithheld(state: CollectionState, situation: FeedSituation): boolean {
  const { request, head, refused, absent } = state
  const { feed, wasServed = false, proof } = situation
  if (request.collection.kind !== 'leaves') return false
  if (head) return holdsRecords(head) && isUnbelieved(head, state, situation)
  const isUnproven = proof.state !== 'proven' && proof.reason !== 'not_asked'
  return refused || absent || isUnproven || wasServed || feed.leavesShown
}

/** Whether the feed has shown this leave. Release 0.6 did not note it by person, so there it counts for everybody. */
function wasShown(
  { collection }: CollectionRequest,
  { leavesShown, shownCollections }: Feed,
): boolean {
  const isNoted = shownCollections.some((key) => collectionOf(key).kind === 'leaves')
  return isNoted ? shownCollections.includes(collectionKey(collection)) : leavesShown
}

/** Too old: with a disproved filter since then, or for a person with another id in the Read API, who is not requested any more. */
function isUnbelieved(
  { fetchedAt }: CopyHead,
  { request: { collection } }: CollectionState,
  { states, proof, now, staleMs }: FeedSituation,
): boolean {
  const misnamed = isMisnamed(collection.subject, states)
  const since = misnamed ? fetchedAt : proof.since
  return (misnamed || proof.state === 'disproved') && now - since > staleMs
}

function isMisnamed(subject: string, states: readonly CollectionState[]): boolean {
  return states.some(({ request, misnamed }) => misnamed && request.collection.subject === subject)
}

/** A project or invoice that the Read API does not have, in a calendar that has never shown it. */
function isLeftOut({ request, absent }: CollectionState, { feed }: FeedSituation): boolean {
  return absent && !feed.shownCollections.includes(collectionKey(request.collection))
}

function isTooOld({ head, failed }: CollectionState, { now, staleMs }: FeedSituation): boolean {
  if (!head) return true
  // A copy that was just confirmed is never too old, however short the limit.
  return now - head.fetchedAt > Math.max(staleMs, failed ? 0 : minuteMs)
}

export type Ages = Pick<FreshnessSettings, 'freshMs' | 'staleMs'>

/** When the first of these collections is due, or too old to be served; not in the future if one is not as good as it can be. */
export function freshUntil(states: readonly CollectionState[], settings: Ages): Instant {
  return Math.min(...states.map((state) => freshUntilOf(state, settings)))
}

/** When all that it shows is too old, or the leave of a person who has another id now. */
export function servedUntil(
  {
    feed,
    states,
    serviceability: { heads },
  }: Pick<CalendarState, 'feed' | 'states' | 'serviceability'>,
  { staleMs }: Ages,
): Instant {
  const shown = states.filter((state) => {
    return !isBeside(state, feed) && state.head && heads.includes(state.head)
  })
  const fetched = shown.map(({ head }) => head?.fetchedAt ?? -Infinity)
  const unbelieved = shown.filter(({ request: { collection } }) => {
    return collection.kind === 'leaves' && isMisnamed(collection.subject, states)
  })
  const oldest = Math.min(...unbelieved.map(({ head }) => head?.fetchedAt ?? -Infinity))
  return Math.min(fetched.length > 0 ? Math.max(...fetched) : Infinity, oldest) + staleMs
}

function freshUntilOf(
  { request, head, failed, refused, absent, misnamed, late }: CollectionState,
  { freshMs, staleMs }: Ages,
): Instant {
  if (!head || failed || refused || absent || misnamed || late) return -Infinity
  const freshForMs = kinds[request.collection.kind].freshMs ?? freshMs
  return head.fetchedAt + Math.min(freshForMs, Math.max(staleMs, minuteMs))
}

function staleForMs(served: readonly CollectionState[], now: Instant): number | null {
  const ages = served.flatMap(({ head, failed, late }) =>
    head && (failed || late) ? [now - head.fetchedAt] : [],
  )
  return ages.length > 0 ? Math.max(0, ...ages) : null
}

function headsBeside(states: readonly CollectionState[], feed: Feed): readonly CopyHead[] {
  return states.flatMap((state) => (isBeside(state, feed) && state.head ? [state.head] : []))
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterMs })
}
