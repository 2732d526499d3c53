/*
 * People leave, and Read APIs break: both look the same for one person. So a user record that says it is inactive is believed at
 * once, a user who is not found only a day later, and neither while too many leave together.
 */
import { saveAuditEvent } from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { Connection } from '../domain/connection.ts'
import type {
  DepartedMember,
  DepartureShare,
  DepartureWatch,
  HeldBack,
  PersonState,
} from '../domain/departure.ts'
import { AppError, type Misnamed } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import {
  compareIdentity,
  identityOf,
  knownAfter,
  readAgainAfterMs,
  foldedId,
  type Person,
  type PersonReading,
} from '../domain/person.ts'
import { managerIdOf, type User } from '../domain/user.ts'
import { dayMs, hourMs, type Instant, Repeated } from '../domain/world.ts'
import { DepartureBeliefs } from './departure-beliefs.ts'
import type { Identities } from './identities.ts'
import { closeBelieved, closeFeeds } from './own-feeds.ts'
import type { PeopleDeps } from './people-deps.ts'
import { noteAnswer, readPerson } from './person-state.ts'
import { followReading } from './teams.ts'

const membersMax = 1000

type DeparturesDeps = PeopleDeps & { readonly identities: Identities }

/** Closes the feeds of people who have left, and opens them again when they are back. */
export class Departures implements DepartureWatch {
  readonly #deps: DeparturesDeps
  readonly #beliefs: DepartureBeliefs
  readonly #repeated: Repeated

  constructor(deps: DeparturesDeps) {
    this.#deps = deps
    this.#beliefs = new DepartureBeliefs(deps, this)
    this.#repeated = new Repeated(
      deps,
      { name: 'departures', everyMs: 300_000, work: (signal) => this.readAgain(signal) },
      {
        name: 'newcomers',
        everyMs: readAgainAfterMs,
        work: (signal) => this.#readNewcomers(signal),
      },
    )
  }

  /** From now on asks once a day for everybody who may have left, and sooner for those who may be another by now. */
  start(): void {
    this.#repeated.start()
  }

  ended(): Promise<void> {
    return this.#beliefs.ended()
  }

  async close(): Promise<void> {
    await Promise.all([this.#repeated.close(), this.#beliefs.close()])
  }

  /** The feed without members who have left; an own feed is closed instead: `gone`. */
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
    const named =
      state === 'active' && user ? await this.#withManager(companyId, user, known) : user
    await this.#keepReading(companyId, { userId, state, user: named }, known)
    const before = await departures.findDeparture(companyId, userId)
    // A departure counts once an hour.
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

  /** The ids in feeds for which the Read API answers with a person of another id. */
  async misnamed(companyId: string): Promise<readonly string[]> {
    const { people, departures } = this.#deps
    const found: string[] = []
    for (const { userId, state } of await people.listPeople(companyId)) {
      if (state === 'misnamed' && (await departures.isInFeed(companyId, userId))) found.push(userId)
    }
    return found
  }

  /** The number of departures held back because they are too many; null if none. */
  async heldBack(companyId: string): Promise<DepartureShare | null> {
    const share = await this.#deps.departures.heldBackShare(companyId)
    return share.leaving > 0 ? share : null
  }

  /**
   * Believes the held-back departures that somebody has seen, and closes their feeds; returns their number. `conflict` if
   * there are more or fewer by now.
   */
  async confirmHeldBack(companyId: string, seen: HeldBack, { actor }: Actor): Promise<number> {
    const { departures, clock } = this.#deps
    const believed = await departures.believeHeldBack(companyId, seen, clock.now())
    if (!believed) throw new AppError('conflict', 'Other people are held back by now.')
    for (const departure of believed) {
      const subject = { companyId, userIds: [departure.userId] }
      await saveAuditEvent(this.#deps, { actor, action: 'departure_confirmed' }, subject)
      await closeBelieved(this.#deps, departure)
    }
    return believed.length
  }

  leftInFeeds(companyId: string): Promise<readonly DepartedMember[]> {
    return this.#deps.departures.listLeftInFeeds(companyId, membersMax)
  }

  /** Reads everybody who was read a day ago or longer, each on one node, and decides about the undecided. */
  async readAgain(signal: AbortSignal): Promise<void> {
    const { connections, departures, clock } = this.#deps
    for (const connection of connections.values()) {
      while (!signal.aborted) {
        const now = clock.now()
        const { id } = connection.company
        const before = await departures.takeDepartureToRead(id, now - dayMs, now)
        if (!before) break
        const { userId } = before
        const state = await this.#stateOf(connection, userId, signal)
        if (state) await this.#beliefs.note(connection, { userId, state, before, wasActive: false })
      }
      if (!signal.aborted) await this.#beliefs.inquire(connection)
    }
  }

  /** Reads ids that may be another person's, each on one node: the known person may be back, and there may be no polls. */
  async #readNewcomers(signal: AbortSignal): Promise<void> {
    const { connections, newcomers, identities, clock } = this.#deps
    for (const connection of connections.values()) {
      const { id } = connection.company
      for (const newcomer of await newcomers.listNewcomers(id)) {
        if (signal.aborted) return
        if (await identities.endWhenDue(newcomer)) continue
        const { userId, readAt, confirmedAt } = newcomer
        const now = clock.now()
        const pauseMs = confirmedAt === null ? readAgainAfterMs : hourMs
        const isTimeToRead = Math.abs(now - readAt) >= pauseMs
        if (!isTimeToRead || !(await newcomers.noteRead(newcomer, readAt, now))) continue
        const answer = await readPerson(connection, userId, { signal, bypassCache: true })
        await noteAnswer(this, id, userId, answer)
      }
    }
  }

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
    const kept = { ...reading, known, readAt }
    // A record that no longer names a manager may soon name one again.
    const isLost = reading.state === 'active' && losesManager(user, before)
    const pauseMs = isLost ? Math.min(hourMs, directoryFreshMs) : directoryFreshMs
    const change = await people.keepReading(companyId, kept, readAt + pauseMs)
    if (change) await followReading(this.#deps, companyId, change)
  }

  /** A person in a feed who was never read is read twice, so that one wrong answer does not define them. */
  async #isOfKnown(companyId: string, user: User): Promise<boolean> {
    const { people, identities, departures, connections } = this.#deps
    if (!(await identities.noteRecord(companyId, user))) return false
    const known = await people.findPerson(companyId, user.id)
    const connection = connections.get(companyId)
    const wasRead = (known?.readAt ?? null) !== null
    if (wasRead || !connection || !(await departures.isInFeed(companyId, user.id))) return true
    const again = await readPerson(connection, user.id, { bypassCache: true })
    if (!('user' in again)) return true
    return compareIdentity(identityOf(user), identityOf(again.user)) !== 'another'
  }

  /** A record that no longer names a manager is read twice, so that one wrong answer takes nobody out of a team. */
  async #withManager(companyId: string, user: User, known: Person | undefined): Promise<User> {
    const connection = this.#deps.connections.get(companyId)
    if (!connection || !known || !losesManager(user, known)) return user
    const again = await readPerson(connection, user.id, { bypassCache: true })
    const assignedManagerId = 'user' in again ? managerIdOf(again.user) : known.managerId
    return { ...user, assignedManagerId }
  }

  /** A feed may be made after its person has left, who may be back since. */
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

  /** What the Read API says of the known person; undefined where it says nothing. */
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

/** One answer may be another's by mistake, and much follows from it: so an id that was right before must differ merely in spelling. */
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

/** Whether the record is the first that names no manager. */
function losesManager(user: User | undefined, known: Person | undefined): boolean {
  if (!user || !known || managerIdOf(user) !== undefined) return false
  return known.managerId !== null && known.managerMissingSince === null
}

function isWithinHour(instant: Instant | null, now: Instant): boolean {
  return instant !== null && instant <= now && now - instant < hourMs
}

function saysTheSame({ state, user }: Omit<PersonReading, 'readAt'>, known: Person): boolean {
  if (state !== known.state || !user) return state === known.state
  if (known.managerMissingSince !== null) return false
  const read = [user.firstName, user.lastName, user.email, managerIdOf(user)]
  const before = [known.firstName, known.lastName, known.email, known.managerId]
  return read.every((field, index) => (field ?? '') === (before[index] ?? ''))
}
