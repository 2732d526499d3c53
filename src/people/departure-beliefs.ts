import type { Connection } from '../domain/connection.ts'
import type {
  Departure,
  DepartureVerdict,
  DepartureWatch,
  PersonState,
  RecentDepartures,
} from '../domain/departure.ts'
import { dayMs, hourMs, type Instant } from '../domain/world.ts'
import { areTooManyLeaving, areTooManyOfSample, withLeaving } from './leaving-share.ts'
import { closeBelieved, openFeeds } from './own-feeds.ts'
import type { PeopleDeps } from './people-deps.ts'
import { answersOtherwise, noteAnswer, readPerson } from './person-state.ts'

/** After this long, even many departures at once are believed. */
const heldBackMs = 7 * dayMs
/** People asked in one roll call, and how often one may happen. */
const askedMax = 50
const askedAtOnce = 8
const rollCallEveryMs = hourMs
/** If only a sample is asked, how long to wait for polls and the directory to report others. */
const listeningMs = hourMs
const patienceMs = dayMs

interface PersonSighting {
  readonly userId: string
  readonly state: PersonState
  readonly before: Departure | undefined
  readonly wasActive: boolean
}

type Judge = (recent: RecentDepartures) => DepartureVerdict

interface RollCall {
  readonly leaving: ReadonlySet<string>
  /** Of these nothing is known now, which is not the same as having left. */
  readonly unanswered: ReadonlySet<string>
}

/** Decides which departures are believed; closes and reopens feeds. */
export class DepartureBeliefs {
  readonly #deps: PeopleDeps
  readonly #watch: DepartureWatch
  /** By company; `isBehind`: there is more to decide than it began with. */
  readonly #inquiries = new Map<string, { isBehind: boolean; ended: Promise<void> }>()
  readonly #closing = new AbortController()

  /** `watch` receives what the other people's records say. */
  constructor(deps: PeopleDeps, watch: DepartureWatch) {
    this.#deps = deps
    this.#watch = watch
  }

  /** Notes what was read, and what follows for the person's feeds. If others have to be asked first, it does not wait. */
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

  /** Decides the undecided departures. Never fails: what stays undecided is decided next time. */
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

  async ended(): Promise<void> {
    await Promise.all(this.#inquiries.values().map(({ ended }) => ended))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await this.ended()
  }

  async #inquireUntilDone(connection: Connection, underWay: { isBehind: boolean }): Promise<void> {
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
   * Finds out whether those who leave are few, and closes their feeds. Calendar programs never ask again for a calendar that has
   * ended, so everybody in feeds is asked first. All state is in the database: any node can go on with it.
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
    // People in no feed lose no calendar: what is known about them decides.
    const others = undecided.filter((departure) => !inFeeds.includes(departure))
    const judgeKnown: Judge = (recent) => (areTooManyLeaving(recent) ? 'hold back' : clear(others))
    if (await this.#decide(companyId, undecided, judgeKnown)) return
    if (inFeeds.length === 0) return
    const staying = await departures.listStaying(companyId, askedMax + 1)
    const isSample = staying.length > askedMax
    const begunAt = clock.now()
    if (isSample && begunAt - firstRead(inFeeds) < listeningMs) return
    if (!(await lookRounds.takeRollCallTurn(companyId, begunAt, rollCallEveryMs))) return
    const asked = staying.slice(0, askedMax)
    // Those about to lose a calendar are asked once more: one answer may be wrong.
    const again = inFeeds.map(({ userId }) => userId)
    const call = await this.#callRoll(connection, [...asked, ...again], signal)
    if (signal.aborted) return
    const heard = (await departures.listUndecided(companyId)).filter(
      ({ userId, since }) =>
        (since <= begunAt || call.leaving.has(userId)) && !call.unanswered.has(userId),
    )
    await this.#decide(companyId, heard, judgeHeard(heard, call, asked, isSample, begunAt))
  }

  /** Reads each person once, past caches, until the Read API wants to be left alone. */
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
        // A credential that may not read this person does not say that they left.
        if (answer.state !== undefined || answer.fault.status === 403) unanswered.delete(userId)
        else if (answer.fault.retryAfterMs !== undefined) isPaused = true
        if (answer.state === 'user_inactive' || answer.state === 'user_missing') leaving.add(userId)
      }
    }
    await Promise.all(Array.from({ length: askedAtOnce }, askOn))
    return { leaving, unanswered }
  }

  /** Returns whether all are held back; otherwise closes the feeds of believed departures. */
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
    const isNew = !before || (isAnother && !before.isHeldBack)
    const departure = {
      companyId,
      userId,
      because,
      // The clock of another node may have run ahead.
      since: isNew ? readAt : Math.min(before.since, readAt),
      readAt,
      leftAt: before?.leftAt ?? null,
      wasHere: before?.wasHere ?? (wasActive || (await departures.isInFeed(companyId, userId))),
      isHeldBack: before?.isHeldBack ?? false,
      isCleared: before?.isCleared === true && !isAnother,
    }
    await departures.keepDeparture(departure)
    return departure
  }

  async #believeWhenDue(connection: Connection, { companyId, userId }: Departure): Promise<void> {
    const { departures } = this.#deps
    // It may have been held back meanwhile.
    const departure = await departures.findDeparture(companyId, userId)
    if (!departure || !(await isBelievable(connection, departure))) return
    if (await departures.believeDeparture(departure, departure.readAt)) {
      await closeBelieved(this.#deps, departure)
    }
  }
}

/** A missing person may be back tomorrow. */
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

/** Silent people may be leaving as well; `isSample`: not everybody in feeds was asked. */
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
    areTooManyLeaving(withLeaving(recent, more)) ||
    (isSample && areTooManyOfSample(asked.length, left + more))
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
