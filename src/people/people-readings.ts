import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import type { LookRoundStore, PeopleStore, ReadingPlan } from '../domain/person.ts'
import { type Clock, clockSkewMs } from '../domain/world.ts'
import { noteAnswer, readPerson } from './person-state.ts'

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
export async function readSlowly(
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
export async function readAllDue(
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
