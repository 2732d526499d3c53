import type { Connection } from '../domain/connection.ts'
import type {
  Departure,
  DepartureStore,
  DepartureVerdict,
  DepartureWatch,
  RecentDepartures,
} from '../domain/departure.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { LookRoundStore } from '../domain/person.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { closeBelieved } from './departed-feeds.ts'
import { leavesTooMany, leavesTooManyOf, withLeaving } from './departure-share.ts'
import { callRoll, type RollCall } from './roll-call.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** As many are asked, and as often at most: whatever the number of those who leave. */
const askedMax = 50
const rollCallEveryMs = hourMs
/** Where not everybody is asked, polls and the directory have as long to tell of others. */
const listeningMs = hourMs
/** As long is waited for those who do not answer. */
const patienceMs = dayMs

export interface DepartureInquiriesDeps {
  readonly departures: DepartureStore
  readonly lookRounds: Pick<LookRoundStore, 'takeRollCallTurn'>
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly clock: Clock
  readonly log: Log
}

interface Inquiry {
  readonly watch: DepartureWatch
  readonly connection: Connection
  readonly signal: AbortSignal
}

/**
 * Finds out whether those who leave are few, and closes their feeds. Clients never ask again for a calendar that has ended, so
 * everybody in feeds is asked first. All that has to be known later stands in the database: any node goes on with it.
 */
export async function inquire(deps: DepartureInquiriesDeps, inquiry: Inquiry): Promise<void> {
  const { departures, lookRounds, clock } = deps
  const { id: companyId } = inquiry.connection.company
  const undecided = await departures.listUndecided(companyId)
  if (undecided.length === 0) return
  const inFeeds = await inFeedsOf(departures, undecided)
  const others = undecided.filter((departure) => !inFeeds.includes(departure))
  if (await decide(deps, companyId, { undecided, judge: judgeKnown(others) })) return
  if (inFeeds.length === 0) return
  const staying = await departures.listStaying(companyId, askedMax + 1)
  const isSample = staying.length > askedMax
  const begunAt = clock.now()
  if (isSample && begunAt - firstRead(inFeeds) < listeningMs) return
  if (!(await lookRounds.takeRollCallTurn(companyId, begunAt, rollCallEveryMs))) return
  const asked = staying.slice(0, askedMax)
  // Who is about to lose a calendar is asked once more: one answer may be wrong.
  const again = inFeeds.map(({ userId }) => userId)
  const { watch, connection, signal } = inquiry
  const call = await callRoll(watch, connection, [...asked, ...again], signal)
  if (signal.aborted) return
  const heard = (await departures.listUndecided(companyId)).filter(
    ({ userId, since }) =>
      (since <= begunAt || call.leaving.has(userId)) && !call.unanswered.has(userId),
  )
  const judge = judgeHeard(heard, { ...call, asked, isSample, now: begunAt })
  await decide(deps, companyId, { undecided: heard, judge })
}

type Judge = (recent: RecentDepartures) => DepartureVerdict

/** By what is known already. Of those who are in no feed nobody loses a calendar: so nobody is asked. */
function judgeKnown(others: readonly Departure[]): Judge {
  return (recent) => (leavesTooMany(recent) ? 'hold back' : clear(others))
}

interface Heard extends RollCall {
  readonly asked: readonly string[]
  /** Whether there are others in feeds who have not been asked. */
  readonly isSample: boolean
  readonly now: Instant
}

/** Those who have not answered may be leaving as well. */
function judgeHeard(
  undecided: readonly Departure[],
  { asked, isSample, leaving, unanswered, now }: Heard,
): Judge {
  const left = asked.filter((id) => leaving.has(id)).length
  const silent = asked.filter((id) => unanswered.has(id)).length
  const isTooMany = (recent: RecentDepartures, more: number): boolean =>
    leavesTooMany(withLeaving(recent, more)) ||
    (isSample && leavesTooManyOf(asked.length, left + more))
  const waitedFor = undecided.filter(({ since }) => now - since >= patienceMs)
  return (recent) => {
    if (isTooMany(recent, 0)) return 'hold back'
    return clear(isTooMany(recent, silent) ? waitedFor : undecided)
  }
}

function clear(undecided: readonly Departure[]): DepartureVerdict {
  return { clear: undecided.map(({ userId }) => userId) }
}

/** Whether all are held back; otherwise the feeds of those who are believed are closed. */
async function decide(
  deps: DepartureInquiriesDeps,
  companyId: string,
  { undecided, judge }: { readonly undecided: readonly Departure[]; readonly judge: Judge },
): Promise<boolean> {
  const { departures, clock, log } = deps
  const now = clock.now()
  const since = Math.min(now - dayMs, firstRead(undecided))
  const { isHeldBack, believed } = await departures.decide(companyId, { since, now, judge })
  if (isHeldBack) {
    const share = await departures.heldBackShare(companyId)
    log.warn({ company: companyId, ...share }, 'departures_held_back')
  }
  for (const departure of believed) await closeBelieved(deps, departure)
  return isHeldBack
}

function firstRead(undecided: readonly Departure[]): Instant {
  return Math.min(...undecided.map(({ since }) => since))
}

async function inFeedsOf(
  departures: Pick<DepartureStore, 'isInFeed'>,
  undecided: readonly Departure[],
): Promise<readonly Departure[]> {
  const inFeeds: Departure[] = []
  for (const departure of undecided) {
    if (await departures.isInFeed(departure.companyId, departure.userId)) inFeeds.push(departure)
  }
  return inFeeds
}
