import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { asAppError, type AppError } from '../domain/errors.ts'
import type {
  KnownPeople,
  LookRound,
  PeopleFinder,
  Person,
  LookRoundStore,
  PeopleStore,
  ReadingPlan,
  SightingProblem,
} from '../domain/person.ts'
import type { FilterOf } from '../domain/read-api.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import type { PersonReference } from '../domain/user.ts'
import {
  type Log,
  repeat,
  SpareTime,
  type Clock,
  clockSkewMs,
  type Instant,
} from '../domain/world.ts'
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

  /** Everyone whom a look now finds, anyone who is due read before; `onRead` is told how far that has come; ends by throwing the reason of `ending`. */
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

  /** Without those whom only a feed calls so: anyone who is not read yet is read first, as far as the Read API says something of them. */
  async #people(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const unread = await this.#deps.peopleFinder.listInState(companyId, userIds, 'unread')
    await Promise.all(unread.map((userId) => this.#readFirst(companyId, userId)))
    const misnamed = new Set(unread.length > 0 ? await this.listMisnamed(companyId, userIds) : [])
    return userIds.filter((id) => !misnamed.has(id))
  }

  /** Once, and only for this: what else is said of them counts in their turn. */
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

/** After so long what one node has taken is another's. */
const takenMs = 600_000
/** What could not be seen is looked for again after an hour. */
const lookAgainMs = 3_600_000

export interface PeopleLooksDeps {
  readonly people: PeopleStore
  readonly lookRounds: LookRoundStore
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  /** How old the directory may get. */
  readonly directoryFreshMs: number
}

/** Looks for people, one look at a time for each company over all nodes. */
export class PeopleLooks {
  readonly #deps: PeopleLooksDeps
  readonly #closing = new AbortController()
  /** By company, as is what follows. */
  readonly #underWay = new Map<string, Promise<boolean>>()
  readonly #looked = new Set<string>()

  readonly #atOnce = new Map<string, Promise<void>>()

  constructor(deps: PeopleLooksDeps) {
    this.#deps = deps
  }

  /** Waits for the first look of all nodes, which it begins where nobody has; ends with the signal. */
  async untilSeen(companyId: string, signal: AbortSignal): Promise<void> {
    const connection = this.#deps.connections.get(companyId)
    if (!connection) return
    const either = AbortSignal.any([signal, this.#closing.signal])
    if (either.aborted || (await this.#hasLooked(companyId))) return
    await endingWith(either, this.#lookAtOnce(connection)).catch((error: unknown) => {
      if (!either.aborted) throw error
    })
  }

  /** The last look of all nodes. */
  latest(companyId: string): Promise<LookRound> {
    return this.#deps.lookRounds.findRound(companyId)
  }

  /** Looks if it is time; false where it is not, or another node is at it. */
  lookIfDue(connection: Connection): Promise<boolean> {
    const { id } = connection.company
    const underWay =
      this.#underWay.get(id) ??
      this.#takeAndLook(connection).finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, underWay)
    return underWay
  }

  /** Looks, whether it is time or not; ends with the signal. */
  async look(connection: Connection, ending = this.#closing.signal): Promise<void> {
    const { people, lookRounds, clock, directoryFreshMs } = this.#deps
    const signal = AbortSignal.any([ending, this.#closing.signal])
    const problems = await lookRound(connection, people, { now: clock.now(), signal })
    const now = clock.now()
    const againAfterMs =
      problems.length > 0 ? Math.min(lookAgainMs, directoryFreshMs) : directoryFreshMs
    await lookRounds.endRound(connection.company.id, problems, { now, dueAt: now + againAfterMs })
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await Promise.allSettled([...this.#underWay.values(), ...this.#atOnce.values()])
  }

  async #hasLooked(companyId: string): Promise<boolean> {
    if (this.#looked.has(companyId)) return true
    const { lookedAt } = await this.latest(companyId)
    if (lookedAt !== null) this.#looked.add(companyId)
    return lookedAt !== null
  }

  /** Once for all who wait. Another node may be at it, or may have ended over it: what it costs is asked once more. */
  #lookAtOnce(connection: Connection): Promise<void> {
    const { id } = connection.company
    const underWay =
      this.#atOnce.get(id) ?? this.#lookAnyway(connection).finally(() => this.#atOnce.delete(id))
    this.#atOnce.set(id, underWay)
    return underWay
  }

  async #lookAnyway(connection: Connection): Promise<void> {
    if (!(await this.lookIfDue(connection))) await this.look(connection)
  }

  async #takeAndLook(connection: Connection): Promise<boolean> {
    const isTaken = await this.#deps.lookRounds.takeRound(connection.company.id, this.#plan())
    if (isTaken) await this.look(connection)
    return isTaken
  }

  #plan(): ReadingPlan {
    const { clock, directoryFreshMs } = this.#deps
    const now = clock.now()
    const latest = now + Math.max(takenMs, directoryFreshMs) + clockSkewMs
    return { now, againAt: now + takenMs, latest }
  }
}

/** The promise's result, or the signal's reason if that comes first. */
async function endingWith<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const end = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

const paceMs = 1000
/** Who could not be read is asked for again after an hour. */
const againMs = 3_600_000

export interface PeopleReadingsDeps {
  readonly people: Pick<PeopleStore, 'takePersonToRead' | 'isAnyoneDue' | 'countDue'>
  readonly lookRounds: Pick<LookRoundStore, 'takeReadingTurn'>
  readonly departures: DepartureWatch
  readonly clock: Clock
  /** How old the directory may get. */
  readonly directoryFreshMs: number
}

/** Turns for all who take them, in the order in which they ask, one after the other and so far apart at least. */
export class Pace {
  readonly #everyMs: number
  readonly #clock: Clock
  #last: Promise<unknown> = Promise.resolve()

  constructor(everyMs: number, clock: Clock) {
    this.#everyMs = everyMs
    this.#clock = clock
  }

  /** Waits for the next; not for long where the signal ends that. */
  async turn(signal: AbortSignal): Promise<void> {
    const before = this.#last
    const next = before.then(() => this.#clock.sleep(this.#everyMs, signal))
    this.#last = next.catch(() => undefined)
    await before
  }
}

/** Reads who is due, one person a second over all nodes, in turns with all other companies, until nobody is or the Read API wants to be left alone. */
async function readSlowly(
  deps: PeopleReadingsDeps,
  connection: Connection,
  { pace, signal }: { readonly pace: Pace; readonly signal: AbortSignal },
): Promise<void> {
  const { people, lookRounds, clock } = deps
  const { id } = connection.company
  while (!signal.aborted && (await people.isAnyoneDue(id, planOf(deps)))) {
    await pace.turn(signal)
    const begunAt = clock.now()
    const isOurs = await lookRounds.takeReadingTurn(id, begunAt, paceMs)
    if (isOurs && !(await readNext(deps, connection, signal))) return
    await clock.sleep(Math.max(0, begunAt + paceMs - clock.now()), signal)
  }
}

/** Reads everyone who is due, so many at once; `onRead` is told how many of how many have been. */
async function readAllDue(
  deps: PeopleReadingsDeps,
  connection: Connection,
  {
    atOnce,
    onRead,
    signal,
  }: {
    readonly atOnce: number
    readonly onRead: (count: number, total: number) => void
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { people, clock } = deps
  const { id } = connection.company
  const total = await people.countDue(id, clock.now())
  let count = 0
  const readOn = async (): Promise<void> => {
    while (!signal.aborted && (await readNext(deps, connection, signal))) {
      onRead((count += 1), Math.max(count, total))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, readOn))
  // A server that runs meanwhile may have read some of them.
  if (count < total && !(await people.isAnyoneDue(id, planOf(deps)))) onRead(total, total)
}

/** False where nobody is due, or the Read API wants to be left alone. One person's failure holds back no other. */
async function readNext(
  deps: PeopleReadingsDeps,
  connection: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  const { id } = connection.company
  const userId = await deps.people.takePersonToRead(id, planOf(deps))
  if (userId === undefined) return false
  const answer = await readPerson(connection, userId, { signal })
  if (answer.state === undefined) return answer.fault.retryAfterMs === undefined
  await noteAnswer(deps.departures, id, userId, answer)
  return true
}

function planOf({ clock, directoryFreshMs }: PeopleReadingsDeps): ReadingPlan {
  const now = clock.now()
  const againAt = now + Math.min(againMs, directoryFreshMs)
  return { now, againAt, latest: now + directoryFreshMs + clockSkewMs }
}

/** Who was not seen for so long is known no longer. */
const seenMs = 100 * 86_400_000

/** Whom one of the places names where people are looked for, and why not all of them. */
interface Sightings {
  readonly people: readonly PersonReference[]
  readonly problems: readonly SightingProblem[]
}

/**
 * Looks for the company's people, since the Read API lists no users: in timesheets, tasks and feeds, and among managers. Gives
 * what could not be seen; fails only as the store does, or with the signal's reason.
 */
async function lookRound(
  connection: Connection,
  people: PeopleStore,
  { now, signal }: { readonly now: Instant; readonly signal: AbortSignal },
): Promise<readonly SightingProblem[]> {
  const { company } = connection
  const found = [await inTimesheets(connection, now, signal)]
  for (const project of company.projects) found.push(await inTasks(connection, project, signal))
  const seen = found.flatMap((sightings) => sightings.people)
  await people.seePeople(company.id, seen, now)
  await people.seeMembers(company.id, now)
  await people.seeManagers(company.id, now)
  await people.dropUnseen(company.id, now - seenMs)
  return found.flatMap(({ problems }) => problems)
}

async function inTimesheets(
  connection: Connection,
  now: Instant,
  signal: AbortSignal,
): Promise<Sightings> {
  const { userIds, fault } = await findTimesheetUsers(
    connection,
    { since: now - seenMs, now },
    signal,
  )
  return {
    people: [...userIds].map((id) => ({ id })),
    problems: fault ? [{ source: 'timesheets', reason: fault.message }] : [],
  }
}

async function inTasks(
  { api }: Connection,
  project: string,
  signal: AbortSignal,
): Promise<Sightings> {
  try {
    const { records } = await api.list('tasks', { project }, { signal })
    const people = records.flatMap(({ assignees }) => assignees ?? [])
    // Nobody twice: anyone who stays with one list of many keeps all of it in memory.
    return { people: [...new Map(people.map((it) => [it.id, it])).values()], problems: [] }
  } catch (error) {
    const fault = asAppError(error)
    if (!fault) throw error
    return { people: [], problems: [{ source: `tasks of ${project}`, reason: fault.message }] }
  }
}

const dayMs = 86_400_000
/** Two weeks at a time, so that no answer is huge. */
const stretchMs = 14 * dayMs
/** A filter by bounds leaves out what straddles them: no timesheet is longer than a month. */
const periodMs = 31 * dayMs

/** Whose timesheets there are, and why not all of them could be read. */
export interface TimesheetUsers {
  readonly userIds: ReadonlySet<string>
  readonly fault: AppError | undefined
}

/** The users of timesheets that end at `since` or later; what of them cannot be had is left out. */
export async function findTimesheetUsers(
  connection: Connection,
  { since, now }: { readonly since: Instant; readonly now: Instant },
  signal: AbortSignal,
): Promise<TimesheetUsers> {
  const userIds = new Set<string>()
  let fault: AppError | undefined
  for (const stretch of stretchesOf(connection, since, now)) {
    const answer = await readStretch(connection, stretch, signal)
    if (answer.fault) fault = answer.fault
    for (const { userId, periodEnd } of answer.timesheets) {
      if (periodEnd >= since) userIds.add(userId)
    }
    if (answer.isAll) break
  }
  return { userIds, fault }
}

interface Stretch {
  readonly from: Instant
  readonly to?: Instant
}

/** One after the other from midnight to midnight; all at once where the bounds have no names. */
function stretchesOf(
  { parameters: { timesheets: names } }: Connection,
  since: Instant,
  now: Instant,
): readonly Stretch[] {
  const first = Math.floor(since / dayMs) * dayMs
  if (names.from === null || names.to === null) return [{ from: first }]
  const count = Math.ceil((now - first) / stretchMs)
  return Array.from({ length: count }, (_, index) => {
    const from = first + index * stretchMs
    return { from, to: from + stretchMs }
  })
}

interface StretchAnswer {
  readonly timesheets: readonly Timesheet[]
  readonly fault?: AppError
  /** Whether the others would bring nothing else: the bounds are ignored, or nothing is answered. */
  readonly isAll: boolean
}

/** What cannot be read in full width, since there is too much of it, is read as narrow as it can be. */
async function readStretch(
  { api }: Connection,
  { from, to }: Stretch,
  signal: AbortSignal,
): Promise<StretchAnswer> {
  const list = async (filter: FilterOf<'timesheets'>): Promise<StretchAnswer> => {
    const { records } = await api.list('timesheets', filter, { signal })
    return { timesheets: records, isAll: records.some((record) => liesOutside(record, filter)) }
  }
  if (to === undefined) return list({ from }).catch(faultOf)
  const answer = await list({ from, to: to + periodMs }).catch(faultOf)
  const isTooMuch = answer.fault?.code === 'upstream_invalid'
  return isTooMuch ? list({ from, to }).catch(faultOf) : answer
}

function liesOutside(
  { periodStart, periodEnd }: Timesheet,
  bounds: FilterOf<'timesheets'>,
): boolean {
  const { from = -Infinity, to = Infinity } = bounds
  return periodEnd < from || periodStart > to
}

function faultOf(error: unknown): StretchAnswer {
  const fault = asAppError(error)
  if (!fault) throw error
  return { timesheets: [], fault, isAll: fault.code !== 'upstream_invalid' }
}
