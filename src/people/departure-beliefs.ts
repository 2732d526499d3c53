import { type AuditEvent, logAuditEvent } from '../domain/access/audit-entry.ts'
import { bridge } from '../domain/access/staff.ts'
import type { Connection } from '../domain/connection.ts'
import type {
  Departure,
  DepartureStore,
  DepartureVerdict,
  DepartureWatch,
  PersonState,
  RecentDepartures,
} from '../domain/departure.ts'
import { type FeedChange, type FeedStore } from '../domain/feed-store.ts'
import { anotherPerson, type Feed } from '../domain/feed.ts'
import type { LookRoundStore } from '../domain/person.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { answersOtherwise, noteAnswer, readPerson } from './person-state.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** After so long even what too many do together is believed. */
const heldBackMs = 7 * dayMs
/** As many are asked, and as often at most: whatever the number of those who leave. */
const askedMax = 50
const askedAtOnce = 8
const rollCallEveryMs = hourMs
/** Where not everybody is asked, polls and the directory have as long to tell of others. */
const listeningMs = hourMs
/** As long is waited for those who do not answer. */
const patienceMs = dayMs

export interface DepartureBeliefsDeps {
  readonly departures: DepartureStore
  readonly lookRounds: LookRoundStore
  readonly feeds: FeedStore
  readonly clock: Clock
  readonly log: Log
}

/** What was read of a person, and what was kept of them before. */
interface PersonSighting {
  readonly userId: string
  readonly state: PersonState
  readonly before: Departure | undefined
  /** Whether the person had been read as active before. */
  readonly wasActive: boolean
}

interface UnderWay {
  /** Whether there is more to decide than it began with. */
  isBehind: boolean
  ended: Promise<void>
}

/** What follows from how many leave, as the counts stand. */
type Judge = (recent: RecentDepartures) => DepartureVerdict

/** What people answered when they were asked whether they are still there. */
interface RollCall {
  readonly leaving: ReadonlySet<string>
  /** Of whom nothing is known now: that is not the same as having left. */
  readonly unanswered: ReadonlySet<string>
}

/** Decides of whom it is believed that they have left, and closes and opens their feeds. */
export class DepartureBeliefs {
  readonly #deps: DepartureBeliefsDeps
  readonly #watch: DepartureWatch
  /** By company. */
  readonly #inquiries = new Map<string, UnderWay>()
  readonly #closing = new AbortController()

  /** `watch` is told what others answer who are asked. */
  constructor(deps: DepartureBeliefsDeps, watch: DepartureWatch) {
    this.#deps = deps
    this.#watch = watch
  }

  /** Takes note of what was read, and of what follows for the person's feeds; for others who have to be asked first it does not wait. */
  async note(connection: Connection, sighting: PersonSighting): Promise<void> {
    const { state, before } = sighting
    if (state === 'active') {
      if (before) await this.welcomeBack(before)
      return
    }
    const departure = await this.#record(connection.company.id, sighting, state)
    if (departure.leftAt !== null) return closeBelieved(this.#deps, departure)
    if (departure.isHeldBack || departure.isCleared) {
      return this.#believeWhenDue(connection, departure)
    }
    void this.inquire(connection)
  }

  async welcomeBack(departure: Departure): Promise<void> {
    await this.#deps.departures.forgetDeparture(departure.companyId, departure.userId)
    await openFeeds(this.#deps, departure)
  }

  /** Decides of those who are undecided. Never fails: who is undecided then is so the next time. */
  inquire(connection: Connection): Promise<void> {
    const { id } = connection.company
    const before = this.#inquiries.get(id)
    if (before) {
      before.isBehind = true
      return before.ended
    }
    const underWay = { isBehind: true, ended: Promise.resolve() }
    this.#inquiries.set(id, underWay)
    underWay.ended = this.#inquireUntilDone(connection, underWay)
    return underWay.ended
  }

  /** Waits until nobody is being asked. */
  async ended(): Promise<void> {
    await Promise.all([...this.#inquiries.values()].map(({ ended }) => ended))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await this.ended()
  }

  async #inquireUntilDone(connection: Connection, underWay: UnderWay): Promise<void> {
    const { signal } = this.#closing
    const { id } = connection.company
    try {
      while (underWay.isBehind && !signal.aborted) {
        underWay.isBehind = false
        await this.#inquireOnce(connection, signal)
      }
    } catch (error) {
      if (!signal.aborted) this.#deps.log.error({ company: id, error }, 'inquiry_failed')
    } finally {
      this.#inquiries.delete(id)
    }
  }

  /**
   * Finds out whether those who leave are few, and closes their feeds. Clients never ask again for a calendar that has ended, so
   * everybody in feeds is asked first. All that has to be known later stands in the database: any node goes on with it.
   */
  async #inquireOnce(connection: Connection, signal: AbortSignal): Promise<void> {
    const { departures, lookRounds, clock } = this.#deps
    const companyId = connection.company.id
    const undecided = await departures.listUndecided(companyId)
    if (undecided.length === 0) return
    const inFeeds: Departure[] = []
    for (const departure of undecided) {
      if (await departures.isInFeed(companyId, departure.userId)) inFeeds.push(departure)
    }
    const others = undecided.filter((departure) => !inFeeds.includes(departure))
    // By what is known already. Of those who are in no feed nobody loses a calendar: so nobody is asked.
    const judgeKnown: Judge = (recent) => (leavesTooMany(recent) ? 'hold back' : clear(others))
    if (await this.#decide(companyId, undecided, judgeKnown)) return
    if (inFeeds.length === 0) return
    const staying = await departures.listStaying(companyId, askedMax + 1)
    const isSample = staying.length > askedMax
    const begunAt = clock.now()
    if (isSample && begunAt - firstRead(inFeeds) < listeningMs) return
    if (!(await lookRounds.takeRollCallTurn(companyId, begunAt, rollCallEveryMs))) return
    const asked = staying.slice(0, askedMax)
    // Who is about to lose a calendar is asked once more: one answer may be wrong.
    const again = inFeeds.map(({ userId }) => userId)
    const call = await this.#callRoll(connection, [...asked, ...again], signal)
    if (signal.aborted) return
    const heard = (await departures.listUndecided(companyId)).filter(
      ({ userId, since }) =>
        (since <= begunAt || call.leaving.has(userId)) && !call.unanswered.has(userId),
    )
    await this.#decide(companyId, heard, judgeHeard(heard, call, asked, isSample, begunAt))
  }

  /** Asks for each of them once, past caches, and tells what was read; asks no further where the Read API wants to be left alone. */
  async #callRoll(
    connection: Connection,
    userIds: readonly string[],
    signal: AbortSignal,
  ): Promise<RollCall> {
    const leaving = new Set<string>()
    const unanswered = new Set(userIds)
    const waiting = userIds.values()
    let isPaused = false
    const askOn = async (): Promise<void> => {
      for (const userId of waiting) {
        if (isPaused || signal.aborted) return
        const answer = await readPerson(connection, userId, { signal, bypassCache: true })
        await noteAnswer(this.#watch, connection.company.id, userId, answer)
        // Who is not opened to the credential is not said to have left.
        if (answer.state !== undefined || answer.fault.status === 403) unanswered.delete(userId)
        else if (answer.fault.retryAfterMs !== undefined) isPaused = true
        if (answer.state === 'user_inactive' || answer.state === 'user_missing') leaving.add(userId)
      }
    }
    await Promise.all(Array.from({ length: askedAtOnce }, askOn))
    return { leaving, unanswered }
  }

  /** Whether all are held back; otherwise the feeds of those who are believed are closed. */
  async #decide(
    companyId: string,
    undecided: readonly Departure[],
    judge: Judge,
  ): Promise<boolean> {
    const { departures, clock, log } = this.#deps
    const now = clock.now()
    const since = Math.min(now - dayMs, firstRead(undecided))
    const { isHeldBack, believed } = await departures.decide(companyId, { since, now, judge })
    if (isHeldBack) {
      const share = await departures.heldBackShare(companyId)
      log.warn({ company: companyId, ...share }, 'departures_held_back')
    }
    for (const departure of believed) await closeBelieved(this.#deps, departure)
    return isHeldBack
  }

  async #record(
    companyId: string,
    { userId, before, wasActive }: PersonSighting,
    because: Departure['because'],
  ): Promise<Departure> {
    const { departures, clock } = this.#deps
    const readAt = clock.now()
    const isAnother = before?.because !== because
    const departure = {
      companyId,
      userId,
      because,
      // A node's clock may have run ahead when it was first read.
      since: !before || (isAnother && !before.isHeldBack) ? readAt : Math.min(before.since, readAt),
      readAt,
      leftAt: before?.leftAt ?? null,
      wasHere: before?.wasHere ?? (wasActive || (await departures.isInFeed(companyId, userId))),
      isHeldBack: before?.isHeldBack ?? false,
      isCleared: before?.isCleared === true && !isAnother,
    }
    await departures.keepDeparture(departure)
    return departure
  }

  /** As it stands now: it may have been held back since. */
  async #believeWhenDue(connection: Connection, { companyId, userId }: Departure): Promise<void> {
    const { departures } = this.#deps
    const departure = await departures.findDeparture(companyId, userId)
    if (!departure || !(await isBelievable(connection, departure))) return
    if (await departures.believeDeparture(departure, departure.readAt)) {
      await closeBelieved(this.#deps, departure)
    }
  }
}

/** One that is not found may be found again tomorrow. */
async function isBelievable(
  connection: Connection,
  { because, since, readAt, isHeldBack, isCleared }: Departure,
): Promise<boolean> {
  const confirmedMs = readAt - since
  if (!isHeldBack && !isCleared) return false
  if (isHeldBack && confirmedMs < heldBackMs) return false
  if (because === 'user_inactive') return true
  return confirmedMs >= dayMs && answersOtherwise(connection, since)
}

/** Those who have not answered may be leaving as well; `isSample`: there are others in feeds who have not been asked. */
function judgeHeard(
  undecided: readonly Departure[],
  { leaving, unanswered }: RollCall,
  asked: readonly string[],
  isSample: boolean,
  now: Instant,
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

function firstRead(undecided: readonly Departure[]): Instant {
  return Math.min(...undecided.map(({ since }) => since))
}

const leavingMax = 3
const shareMax = 0.05
/** If one in twenty leaves, chance puts more than that into a sample of fifty three times in a thousand. */
const sampleShareMax = 0.15

/**
 * Whether more than 3 people and more than 5 % of them, or all of two or more, leave within a day: more likely a fault than the
 * truth. So are most of those in feeds, however many others are known. Who leaves beside others who are held back is one of
 * too many as well.
 */
export function leavesTooMany({ known, wereHere, heldBack, inFeeds }: RecentDepartures): boolean {
  const isMost = wereHere > leavingMax && wereHere > known.people * shareMax
  const isMostInFeeds = inFeeds.leaving > leavingMax && inFeeds.leaving > inFeeds.people / 2
  const isAll = [known, inFeeds].some(({ people, leaving }) => leaving >= 2 && leaving >= people)
  return isMost || isMostInFeeds || isAll || heldBack >= 2
}

/** The same with so many more of those in feeds. */
export function withLeaving(recent: RecentDepartures, more: number): RecentDepartures {
  const { known, wereHere, inFeeds } = recent
  return {
    ...recent,
    known: { ...known, leaving: known.leaving + more },
    wereHere: wereHere + more,
    inFeeds: { ...inFeeds, leaving: inFeeds.leaving + more },
  }
}

/** Whether so many of a sample leave that they are too many of all, by more than chance. */
export function leavesTooManyOf(asked: number, leaving: number): boolean {
  return leaving > leavingMax && leaving > asked * sampleShareMax
}

type FeedsDeps = Omit<DepartureBeliefsDeps, 'lookRounds'>

/** Closes the own feeds of one who has left. */
export function closeFeeds(deps: FeedsDeps, departure: Departure): Promise<void> {
  const closed = { closedAt: deps.clock.now(), closedBecause: departure.because }
  return changeFeeds(deps, departure, closed)
}

/** The same for one who is believed to have left; another node may read meanwhile that they are back. */
export async function closeBelieved(deps: FeedsDeps, departure: Departure): Promise<void> {
  await closeFeeds(deps, departure)
  const after = await deps.departures.findDeparture(departure.companyId, departure.userId)
  if (!after) await openFeeds(deps, departure)
}

/** Opens the own feeds of one who is back, or who is not believed to have left any more. */
export function openFeeds(deps: FeedsDeps, departure: Departure): Promise<void> {
  return changeFeeds(deps, departure, { closedAt: null, closedBecause: null })
}

async function changeFeeds(
  { departures, feeds, clock, log }: FeedsDeps,
  { companyId, userId }: Departure,
  closing: Pick<Feed, 'closedAt' | 'closedBecause'>,
): Promise<void> {
  const isClosing = closing.closedAt !== null
  const action = isClosing ? 'feed_closed' : 'feed_opened'
  const auditEvent: AuditEvent = { at: clock.now(), actor: bridge.actor, action }
  for (const { id } of await departures.listOwnFeeds(companyId, userId)) {
    const last = { isChanged: false }
    const change: FeedChange = (feed) => {
      const isTheirs = feed.closedBecause !== anotherPerson
      last.isChanged = isTheirs && isClosing !== (feed.closedAt !== null)
      return last.isChanged ? { ...feed, ...closing } : null
    }
    const after = await feeds.changeFeed(id, change, auditEvent)
    if (after && last.isChanged)
      logAuditEvent(log, auditEvent, { companyId, feedId: id, userIds: after.userIds })
  }
}
