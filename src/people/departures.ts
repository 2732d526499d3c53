/*
 * People leave, and Read APIs break: both look the same for one person. So a user who says of itself that it is inactive is
 * believed at once, one that is not found only a day later, and neither while too many leave together.
 */
import type { Connection } from '../domain/connection.ts'
import type {
  DepartedMember,
  DepartureShare,
  DepartureWatch,
  PersonState,
} from '../domain/departure.ts'
import { AppError, type Misnamed } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { LeaveProofStore } from '../domain/leave.ts'
import {
  compareIdentity,
  identityOf,
  knownAfter,
  type NewcomerStore,
  readAgainAfterMs,
  foldedId,
  type PeopleStore,
  type Person,
  type PersonReading,
} from '../domain/person.ts'
import type { User } from '../domain/user.ts'
import { type Instant, type Maybe, repeat } from '../domain/world.ts'
import { closeFeeds, DepartureBeliefs, type DepartureBeliefsDeps } from './departure-beliefs.ts'
import type { Identities } from './identities.ts'
import { noteAnswer, readPerson } from './person-state.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Who is undecided waits that much longer. */
const everyMs = 5 * minuteMs
/** Who looks at more wants a list. */
const membersMax = 1000

export interface DeparturesDeps extends DepartureBeliefsDeps {
  readonly people: PeopleStore
  readonly proofs: LeaveProofStore
  readonly identities: Identities
  readonly newcomers: NewcomerStore
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  /** How old the directory may get. */
  readonly directoryFreshMs: number
}

/** Closes the feeds of those who have left, and opens them again when they are back. */
export class Departures implements DepartureWatch {
  readonly #deps: DeparturesDeps
  readonly #beliefs: DepartureBeliefs
  #ends: readonly (() => Promise<void>)[] = []

  constructor(deps: DeparturesDeps) {
    this.#deps = deps
    this.#beliefs = new DepartureBeliefs(deps, this)
  }

  /**
   * From now on asks once a day for everyone who has left or may have, and sooner for those who may be somebody else; decides
   * of those who are undecided.
   */
  start(): void {
    if (this.#ends.length > 0) return
    const { connections } = this.#deps
    const departures = (signal: AbortSignal): Promise<void> => this.readAgain(signal)
    const newcomers = async (signal: AbortSignal): Promise<void> => {
      for (const connection of connections.values()) await this.#readNewcomers(connection, signal)
    }
    this.#ends = [
      repeat({ name: 'departures', everyMs, work: departures }, this.#deps),
      repeat({ name: 'newcomers', everyMs: readAgainAfterMs, work: newcomers }, this.#deps),
    ]
  }

  /** Waits until nobody is being asked whether they are still there. */
  ended(): Promise<void> {
    return this.#beliefs.ended()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ends.map((end) => end()), this.#beliefs.close()])
  }

  /** The feed without those of its users who have left; an own feed is closed instead: `gone`. */
  async present(feed: Feed, left: readonly string[]): Promise<Feed> {
    if (left.length === 0) return feed
    if (feed.audience === 'others') {
      return { ...feed, userIds: feed.userIds.filter((id) => !left.includes(id)) }
    }
    for (const userId of left) await this.#closeUnlessBack(feed, userId)
    const now = await this.#deps.feeds.findFeed(feed.id)
    if (!now) throw new AppError('not_found', 'There is no such calendar.')
    if (now.closedAt !== null) throw new AppError('gone', 'This calendar has ended.')
    return feed
  }

  async note(companyId: string, userId: string, state: PersonState, user?: User): Promise<boolean> {
    const { departures, people, connections, clock } = this.#deps
    if (user && !(await this.#isOfKnown(companyId, user))) return false
    const known = await people.findPerson(companyId, userId)
    await this.#keepReading(companyId, { userId, state, user }, known)
    const before = await departures.findDeparture(companyId, userId)
    // What is read again counts once an hour; of one who is not leaving there is nothing to count.
    const isCounted = !before || isWithinHour(before.readAt, clock.now())
    if (state === (before?.because ?? 'active') && isCounted) return true
    const connection = connections.get(companyId)
    const wasActive = known?.state === 'active'
    if (connection) await this.#beliefs.note(connection, { userId, state, before, wasActive })
    return true
  }

  async noteMisnamed(companyId: string, userId: string, fault: Misnamed): Promise<boolean> {
    const { people, connections, proofs } = this.#deps
    const connection = connections.get(companyId)
    const known = await people.findPerson(companyId, userId)
    if (!connection || !(await isMisnamed(connection, userId, known, fault))) return false
    await this.#keepReading(companyId, { userId, state: 'misnamed' }, known)
    await proofs.forgetClaims(connection.id, userId)
    return true
  }

  /** The ids in feeds by which the Read API calls nobody, though it answers for them with somebody of another id. */
  async misnamed(companyId: string): Promise<readonly string[]> {
    const { people, departures } = this.#deps
    const known = await people.listPeople(companyId)
    const found: string[] = []
    for (const { userId, state } of known) {
      if (state === 'misnamed' && (await departures.isInFeed(companyId, userId))) found.push(userId)
    }
    return found
  }

  /** How many are held back, since they were too many to be believed; null where none is. */
  async heldBack(companyId: string): Promise<DepartureShare | null> {
    const share = await this.#deps.departures.heldBackShare(companyId)
    return share.leaving > 0 ? share : null
  }

  /** Those in open feeds who have left. */
  leftInFeeds(companyId: string): Promise<readonly DepartedMember[]> {
    return this.#deps.departures.listLeftInFeeds(companyId, membersMax)
  }

  /** Asks for everyone who was asked for a day ago or longer, each on one node alone; decides of those who are undecided. */
  async readAgain(signal: AbortSignal): Promise<void> {
    for (const connection of this.#deps.connections.values()) {
      await this.#readAgainIn(connection, signal)
      if (!signal.aborted) await this.#beliefs.inquire(connection)
    }
  }

  async #readAgainIn(connection: Connection, signal: AbortSignal): Promise<void> {
    const { departures, clock } = this.#deps
    while (!signal.aborted) {
      const now = clock.now()
      const before = await departures.takeDepartureToRead(connection.company.id, now - dayMs, now)
      if (!before) return
      const { userId } = before
      const state = await this.#stateOf(connection, userId, signal)
      if (state) await this.#beliefs.note(connection, { userId, state, before, wasActive: false })
    }
  }

  /** Asks again, each on one node alone, for those whose ids may be somebody else's: the known person may be back, and nobody may poll. */
  async #readNewcomers(connection: Connection, signal: AbortSignal): Promise<void> {
    const { newcomers, identities, clock } = this.#deps
    const { id } = connection.company
    for (const newcomer of await newcomers.listNewcomers(id)) {
      if (signal.aborted) return
      if (await identities.endWhenDue(newcomer)) continue
      const now = clock.now()
      const pauseMs = newcomer.confirmedAt === null ? readAgainAfterMs : hourMs
      const isTimeToRead = Math.abs(now - newcomer.readAt) >= pauseMs
      if (!isTimeToRead || !(await newcomers.noteRead(newcomer, newcomer.readAt, now))) continue
      const answer = await readPerson(connection, newcomer.userId, { signal, bypassCache: true })
      await noteAnswer(this, id, newcomer.userId, answer)
    }
  }

  /** Keeps in the directory what was read of a person, unless just that was kept within the hour. */
  async #keepReading(
    companyId: string,
    reading: Omit<PersonReading, 'readAt' | 'known'>,
    before: Person | undefined,
  ): Promise<void> {
    const { people, clock, directoryFreshMs } = this.#deps
    const readAt = clock.now()
    if (before && isWithinHour(before.readAt, readAt) && saysTheSame(reading, before)) return
    const { user } = reading
    const wasRead = user && before && before.readAt !== null
    const known = wasRead
      ? knownAfter(before.known, identityOf(user), identityOf(before))
      : undefined
    await people.keepReading(companyId, { ...reading, known, readAt }, readAt + directoryFreshMs)
  }

  async #isOfKnown(companyId: string, user: User): Promise<boolean> {
    const { people, identities } = this.#deps
    if (!(await identities.noteRecord(companyId, user))) return false
    const known = await people.findPerson(companyId, user.id)
    const wasRead = (known?.readAt ?? null) !== null
    return wasRead || this.#isToldAgain(companyId, user)
  }

  /**
   * One wrong answer must not be what somebody in a feed is known by: who has never been read is read once more. Those who are in
   * none are asked for again before they get one.
   */
  async #isToldAgain(companyId: string, user: User): Promise<boolean> {
    const { departures, connections } = this.#deps
    const connection = connections.get(companyId)
    if (!connection || !(await departures.isInFeed(companyId, user.id))) return true
    const again = await readPerson(connection, user.id, { bypassCache: true })
    if (again.state === undefined || again.state === 'misnamed' || !again.user) return true
    return compareIdentity(identityOf(user), identityOf(again.user)) !== 'another'
  }

  /** A feed made after its person had left: they may be back since. */
  async #closeUnlessBack({ companyId }: Feed, userId: string): Promise<void> {
    const { departures, connections } = this.#deps
    const departure = await departures.findDeparture(companyId, userId)
    const connection = connections.get(companyId)
    if (!departure || !connection) return
    const state = await this.#stateOf(connection, userId)
    await (state === 'active'
      ? this.#beliefs.welcomeBack(departure)
      : closeFeeds(this.#deps, departure))
  }

  /** What the Read API says of the person who was known by that id; undefined where it says nothing of them. */
  async #stateOf(
    connection: Connection,
    userId: string,
    signal?: AbortSignal,
  ): Promise<PersonState | undefined> {
    const answer = await readPerson(connection, userId, { signal, bypassCache: true })
    if (answer.state === undefined || answer.state === 'misnamed') return undefined
    const { state, user } = answer
    const isKnown = !user || (await this.#deps.identities.noteRecord(connection.company.id, user))
    return isKnown ? state : undefined
  }
}

/**
 * One answer may be another's by mistake, and what follows is much: who has been answered for by that id before is called
 * so, unless it is another way to write the same.
 */
async function isMisnamed(
  connection: Connection,
  userId: string,
  known: Person | undefined,
  fault: Misnamed,
): Promise<boolean> {
  if (known?.state === 'misnamed') return true
  const wasCalledSo = known !== undefined && known.state !== 'unread'
  if (wasCalledSo && foldedId(fault.calledId) !== foldedId(userId)) return false
  const again = await readPerson(connection, userId, { bypassCache: true })
  return again.state === 'misnamed' && again.fault.calledId === fault.calledId
}

/** Whether that was less than an hour ago; what lies in the future was not. */
function isWithinHour(instant: Instant | null, now: Instant): boolean {
  return instant !== null && instant <= now && now - instant < hourMs
}

function saysTheSame({ state, user }: Omit<PersonReading, 'readAt'>, known: Person): boolean {
  if (state !== known.state || !user) return state === known.state
  const managerId = user.assignedManager?.id ?? user.assignedManagerId
  return (
    isSame(user.firstName, known.firstName) &&
    isSame(user.lastName, known.lastName) &&
    isSame(user.email, known.email) &&
    isSame(managerId, known.managerId)
  )
}

function isSame(read: Maybe<string>, known: string | null): boolean {
  return (read ?? '') === (known ?? '')
}
