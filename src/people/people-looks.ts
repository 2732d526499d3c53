import type { Connection } from '../domain/connection.ts'
import type { LookRound, LookRoundStore, PeopleStore, ReadingPlan } from '../domain/person.ts'
import { type Clock, clockSkewMs } from '../domain/world.ts'
import { lookRound } from './look-round.ts'

/** After so long what one node has taken is another's. */
const takenMs = 600_000
/** What could not be seen is looked for again after an hour. */
const againMs = 3_600_000

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
      problems.length > 0 ? Math.min(againMs, directoryFreshMs) : directoryFreshMs
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
