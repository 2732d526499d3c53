import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type {
  KnownPeople,
  LookRound,
  Person,
  ReadingPlan,
  SightingProblem,
} from '../domain/person.ts'
import { displayName } from '../domain/user.ts'
import {
  hourMs,
  type Clock,
  clockSkewMs,
  Repeated,
  SpareTime,
  unlessAborted,
} from '../domain/world.ts'
import type { PeopleDeps } from './people-deps.ts'
import { noteAnswer, readPerson } from './person-state.ts'
import { lookForPeople } from './sightings.ts'
import { followAllTeams } from './teams.ts'

const hastyReadingsAtOnce = 8
/** For all companies together: a million people in half a day. */
const readingEveryMs = 50
const readingOfCompanyEveryMs = 1000
/** Another node may take over a search after this time. */
const takenMs = 600_000

type PeopleDirectoryDeps = Omit<PeopleDeps, 'departures'> & { readonly departures: DepartureWatch }

/** A person who could get a feed; the address is empty where the Read API does not say it. */
type Candidate = Readonly<Record<'userId' | 'displayName' | 'email', string>>

/** The known people of each company: searches for them periodically, and slowly reads their records. */
export class PeopleDirectory implements KnownPeople {
  readonly #deps: PeopleDirectoryDeps
  readonly #spare: SpareTime
  readonly #pace: Pace
  readonly #closing = new AbortController()
  readonly #repeated: Repeated
  readonly #looking = new Map<string, Promise<void>>()
  readonly #looked = new Set<string>()
  /** People who have been read before they were to be compared with others. */
  readonly #readFirsts = new Set<string>()

  constructor(deps: PeopleDirectoryDeps) {
    this.#deps = deps
    this.#spare = new SpareTime(deps.clock)
    this.#pace = new Pace(readingEveryMs, deps.clock)
    const works = [...deps.connections.values()].map((connection) => {
      const work = (signal: AbortSignal): Promise<void> => this.#keepFresh(connection, signal)
      return { name: 'people', everyMs: hourMs, work }
    })
    this.#repeated = new Repeated(deps, ...works)
  }

  /** Starts keeping the people of every company up to date. */
  start(): void {
    this.#repeated.start()
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await Promise.allSettled([...this.#looking.values(), this.#repeated.close()])
  }

  /** Waits for the first search by any node, and starts it if needed; ends with the signal. */
  async untilSeen(companyId: string, signal: AbortSignal): Promise<void> {
    const connection = this.#deps.connections.get(companyId)
    const either = AbortSignal.any([signal, this.#closing.signal])
    if (!connection || either.aborted || (await this.#hasLooked(companyId))) return
    await unlessAborted(this.#lookOnce(connection, true), either).catch((error: unknown) => {
      if (!either.aborted) throw error
    })
  }

  /** Searches now; ends with the signal. */
  async lookNow(companyId: string, signal: AbortSignal): Promise<void> {
    const connection = this.#deps.connections.get(companyId)
    if (connection) await this.#look(connection, signal)
  }

  /** When people were last searched for, and what could not be seen. */
  latestLook(companyId: string): Promise<LookRound> {
    return this.#deps.lookRounds.findRound(companyId)
  }

  countPeople(companyId: string): Promise<number> {
    return this.#deps.peopleFinder.countPeople(companyId)
  }

  findPeople(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    return this.#deps.peopleFinder.findPeople(companyId, userIds)
  }

  listMisnamed(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    return this.#deps.peopleFinder.listInState(companyId, userIds, 'misnamed')
  }

  async listPeopleAfter(
    companyId: string,
    userId: string,
    limit: number,
  ): Promise<readonly string[]> {
    const found = await this.#deps.peopleFinder.listPeopleAfter(companyId, userId, limit)
    return this.#withoutMisnamed(companyId, found)
  }

  async listAlike(companyId: string, userId: string, limit: number): Promise<readonly string[]> {
    const found = await this.#deps.peopleFinder.listAlike(companyId, userId, limit)
    return this.#withoutMisnamed(companyId, found)
  }

  /**
   * Searches, reads everybody due, and lists the people of the company; `onRead` receives the progress. Throws the reason
   * of `ending`.
   */
  async listRefreshed(
    connection: Connection,
    onRead: (count: number, total: number) => void,
    ending?: AbortSignal,
  ): Promise<readonly Person[]> {
    const signal = AbortSignal.any([this.#closing.signal, ...(ending ? [ending] : [])])
    await this.#look(connection, this.#closing.signal)
    await this.#readAllDue(connection, onRead, signal)
    ending?.throwIfAborted()
    return this.#deps.people.listPeople(connection.company.id)
  }

  /** The people of `listRefreshed` who have not left, by name, and why there may be more. */
  async listCandidates(
    connection: Connection,
    onRead: (count: number, total: number) => void,
    ending?: AbortSignal,
  ): Promise<{
    readonly people: readonly Candidate[]
    readonly problems: readonly SightingProblem[]
  }> {
    const known = await this.listRefreshed(connection, onRead, ending)
    const { problems } = await this.latestLook(connection.company.id)
    const people = known
      .filter(({ state }) => state === 'active' || state === 'unread')
      .map((person) => ({
        userId: person.userId,
        displayName: displayName(person),
        email: person.email ?? '',
      }))
      .toSorted((a, b) => compare(a.displayName, b.displayName) || compare(a.userId, b.userId))
    return { people, problems }
  }

  /** Reads unread people first, once; their other records count in their turn. */
  async #withoutMisnamed(
    companyId: string,
    userIds: readonly string[],
  ): Promise<readonly string[]> {
    const { peopleFinder, departures, connections } = this.#deps
    const unread = await peopleFinder.listInState(companyId, userIds, 'unread')
    const connection = connections.get(companyId)
    const readFirst = async (userId: string): Promise<void> => {
      const name = JSON.stringify([companyId, userId])
      if (!connection || this.#readFirsts.has(name)) return
      this.#readFirsts.add(name)
      const answer = await readPerson(connection, userId, { signal: this.#closing.signal })
      if (answer.state === 'misnamed') await noteAnswer(departures, companyId, userId, answer)
    }
    await Promise.all(unread.map(readFirst))
    const misnamed = unread.length > 0 ? await this.listMisnamed(companyId, userIds) : []
    return userIds.filter((id) => !misnamed.includes(id))
  }

  async #keepFresh(connection: Connection, signal: AbortSignal): Promise<void> {
    await this.#spare.use(() => this.#lookOnce(connection, false), signal)
    await this.#readSlowly(connection, signal)
    // A process may have ended before the teams followed what it read.
    await followAllTeams(this.#deps, connection.company.id)
  }

  async #hasLooked(companyId: string): Promise<boolean> {
    if (this.#looked.has(companyId)) return true
    const { lookedAt } = await this.latestLook(companyId)
    if (lookedAt !== null) this.#looked.add(companyId)
    return lookedAt !== null
  }

  /** Joins a search under way, or takes the turn; without the turn it searches only if it must. */
  async #lookOnce(connection: Connection, must: boolean): Promise<void> {
    const { id } = connection.company
    const isTaken = this.#looking.has(id) || (await this.#takeLook(id))
    if (!isTaken && !must) return
    const looking =
      this.#looking.get(id) ??
      this.#look(connection, this.#closing.signal).finally(() => this.#looking.delete(id))
    this.#looking.set(id, looking)
    await looking
  }

  #takeLook(companyId: string): Promise<boolean> {
    const { lookRounds, clock, directoryFreshMs } = this.#deps
    const now = clock.now()
    const latest = now + Math.max(takenMs, directoryFreshMs) + clockSkewMs
    return lookRounds.takeRound(companyId, { now, againAt: now + takenMs, latest })
  }

  async #look(connection: Connection, ending: AbortSignal): Promise<void> {
    const { people, lookRounds, clock, directoryFreshMs } = this.#deps
    const signal = AbortSignal.any([ending, this.#closing.signal])
    const problems = await lookForPeople(connection, people, { now: clock.now(), signal })
    const now = clock.now()
    // What could not be seen is tried again after an hour.
    const pauseMs = problems.length > 0 ? Math.min(hourMs, directoryFreshMs) : directoryFreshMs
    await lookRounds.endRound(connection.company.id, problems, { now, dueAt: now + pauseMs })
    await followAllTeams(this.#deps, connection.company.id)
  }

  /** Reads people due, in turns with all other companies and nodes, until the Read API asks for a pause. */
  async #readSlowly(connection: Connection, signal: AbortSignal): Promise<void> {
    const { people, lookRounds, clock } = this.#deps
    const { id } = connection.company
    while (!signal.aborted && (await people.isAnyoneDue(id, this.#plan()))) {
      await this.#pace.turn(signal)
      const begunAt = clock.now()
      const isOurs = await lookRounds.takeReadingTurn(id, begunAt, readingOfCompanyEveryMs)
      if (isOurs && !(await this.#readNext(connection, signal))) return
      await clock.sleep(Math.max(0, begunAt + readingOfCompanyEveryMs - clock.now()), signal)
    }
  }

  async #readAllDue(
    connection: Connection,
    onRead: (count: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { people, clock } = this.#deps
    const { id } = connection.company
    const total = await people.countDue(id, clock.now())
    let count = 0
    const readOn = async (): Promise<void> => {
      while (!signal.aborted && (await this.#readNext(connection, signal))) {
        onRead((count += 1), Math.max(count, total))
      }
    }
    await Promise.all(Array.from({ length: hastyReadingsAtOnce }, readOn))
    // A running server may have read some of them meanwhile.
    if (count < total && !(await people.isAnyoneDue(id, this.#plan()))) onRead(total, total)
  }

  /** False where no one is due, or the Read API wants to be left alone. */
  async #readNext(connection: Connection, signal: AbortSignal): Promise<boolean> {
    const { people, departures } = this.#deps
    const { id } = connection.company
    const userId = await people.takePersonToRead(id, this.#plan())
    if (userId === undefined) return false
    const answer = await readPerson(connection, userId, { signal })
    if (answer.state === undefined) return answer.fault.retryAfterMs === undefined
    await noteAnswer(departures, id, userId, answer)
    return true
  }

  /** People who could not be read are due again after an hour. */
  #plan(): ReadingPlan {
    const { clock, directoryFreshMs } = this.#deps
    const now = clock.now()
    const againAt = now + Math.min(hourMs, directoryFreshMs)
    return { now, againAt, latest: now + directoryFreshMs + clockSkewMs }
  }
}

/** Turns in order, with a pause after each. */
export class Pace {
  readonly #everyMs: number
  readonly #clock: Clock
  #last: Promise<unknown> = Promise.resolve()

  constructor(everyMs: number, clock: Clock) {
    this.#everyMs = everyMs
    this.#clock = clock
  }

  /** Waits for the next turn; not for long once the signal is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    const before = this.#last
    const next = before.then(() => this.#clock.sleep(this.#everyMs, signal))
    this.#last = next.catch(() => undefined)
    await before
  }
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other)
}
