import type { Connection } from '../domain/connection.ts'
import type { KnownPeople, LookRound, PeopleFinder, Person } from '../domain/person.ts'
import { type Log, repeat, SpareTime } from '../domain/world.ts'
import { PeopleLooks, type PeopleLooksDeps } from './people-looks.ts'
import { Pace, type PeopleReadingsDeps, readAllDue, readSlowly } from './people-readings.ts'
import { noteAnswer, readPerson } from './person-state.ts'

const idleMs = 3_600_000
const hastyReadingsAtOnce = 8
/** Of whomever of all companies: a million people in half a day. */
const readingEveryMs = 50

export interface PeopleDirectoryDeps extends PeopleLooksDeps {
  readonly departures: PeopleReadingsDeps['departures']
  readonly peopleFinder: PeopleFinder
  readonly log: Log
}

/** Whom the bridge has seen of each company: looks for them now and then, and slowly reads who they are. */
export class PeopleDirectory implements KnownPeople {
  readonly #deps: PeopleDirectoryDeps
  readonly #looks: PeopleLooks
  readonly #spare: SpareTime
  readonly #pace: Pace
  readonly #closing = new AbortController()
  /** Who has been asked for since they were to be compared with somebody. */
  readonly #readFirsts = new Set<string>()
  #ends: readonly (() => Promise<void>)[] = []

  constructor(deps: PeopleDirectoryDeps) {
    this.#deps = deps
    this.#looks = new PeopleLooks(deps)
    this.#spare = new SpareTime(deps.clock)
    this.#pace = new Pace(readingEveryMs, deps.clock)
  }

  /** From now on keeps what is known of every company's people fresh. */
  start(): void {
    if (this.#ends.length > 0) return
    this.#ends = [...this.#deps.connections.values()].map((connection) => {
      const work = (signal: AbortSignal): Promise<void> => this.#keepFresh(connection, signal)
      return repeat({ name: 'people', everyMs: idleMs, work }, this.#deps)
    })
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await Promise.all([this.#looks.close(), ...this.#ends.map((end) => end())])
  }

  untilSeen(companyId: string, signal: AbortSignal): Promise<void> {
    return this.#looks.untilSeen(companyId, signal)
  }

  /** Looks now, whenever that was done last; ends with the signal. */
  async lookNow(companyId: string, signal: AbortSignal): Promise<void> {
    const connection = this.#deps.connections.get(companyId)
    if (connection) await this.#looks.look(connection, signal)
  }

  countPeople(companyId: string): Promise<number> {
    return this.#deps.peopleFinder.countPeople(companyId)
  }

  async listPeopleAfter(
    companyId: string,
    userId: string,
    limit: number,
  ): Promise<readonly string[]> {
    const found = await this.#deps.peopleFinder.listPeopleAfter(companyId, userId, limit)
    return this.#people(companyId, found)
  }

  findPeople(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    return this.#deps.peopleFinder.findPeople(companyId, userIds)
  }

  async listAlike(companyId: string, userId: string, limit: number): Promise<readonly string[]> {
    const found = await this.#deps.peopleFinder.listAlike(companyId, userId, limit)
    return this.#people(companyId, found)
  }

  listMisnamed(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    return this.#deps.peopleFinder.listInState(companyId, userIds, 'misnamed')
  }

  /** When people were last looked for, and what could not be seen then. */
  latestLook(companyId: string): Promise<LookRound> {
    return this.#looks.latest(companyId)
  }

  /** Everyone whom a look now finds, whoever is due read before; `onRead` is told how far that has come; ends by throwing the reason of `ending`. */
  async listAnew(
    connection: Connection,
    onRead: (count: number, total: number) => void,
    ending?: AbortSignal,
  ): Promise<readonly Person[]> {
    const signal = AbortSignal.any([this.#closing.signal, ...(ending ? [ending] : [])])
    await this.#looks.look(connection)
    await readAllDue(this.#deps, connection, { atOnce: hastyReadingsAtOnce, onRead, signal })
    ending?.throwIfAborted()
    return this.#deps.people.listPeople(connection.company.id)
  }

  /** Without those whom only a feed calls so: whoever is not read yet is read first, as far as the Read API says something of them. */
  async #people(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const unread = await this.#deps.peopleFinder.listInState(companyId, userIds, 'unread')
    await Promise.all(unread.map((userId) => this.#readFirst(companyId, userId)))
    const misnamed = new Set(unread.length > 0 ? await this.listMisnamed(companyId, userIds) : [])
    return userIds.filter((id) => !misnamed.has(id))
  }

  /** Once, and only for this: what else is said of them is heeded in their turn. */
  async #readFirst(companyId: string, userId: string): Promise<void> {
    const connection = this.#deps.connections.get(companyId)
    const name = JSON.stringify([companyId, userId])
    if (!connection || this.#readFirsts.has(name)) return
    this.#readFirsts.add(name)
    const { signal } = this.#closing
    const answer = await readPerson(connection, userId, { signal })
    if (answer.state === 'misnamed')
      await noteAnswer(this.#deps.departures, companyId, userId, answer)
  }

  async #keepFresh(connection: Connection, signal: AbortSignal): Promise<void> {
    await this.#spare.use(() => this.#looks.lookIfDue(connection), signal)
    await readSlowly(this.#deps, connection, { pace: this.#pace, signal })
  }
}
