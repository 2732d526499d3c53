import { type CollectionRequest, anyScope } from './kinds/kind.ts'
import type { RefreshOutcome } from './refresher.ts'

interface PersonRead {
  readonly turn: number
  readonly outcome: Promise<RefreshOutcome>
}

/** Of all people together: each takes some hundred bytes. */
const readingsMax = 100_000

/** An answer, and in what order it came with readings of people. */
interface Answered<T> {
  readonly answer: T
  readonly turn: number
}

/**
 * The last reading of each person on this node, in what order it was begun with what was answered of them: before anything new
 * of a person is kept they are read once more, by one request for all that was answered before it.
 */
export class SamePersons {
  readonly #refresh: (request: CollectionRequest) => Promise<RefreshOutcome>
  readonly #read = new Map<string, PersonRead>()
  /** What is being asked of each person. */
  readonly #asked = new Map<string, Set<Promise<unknown>>>()
  #turns = 0

  constructor(refresh: (request: CollectionRequest) => Promise<RefreshOutcome>) {
    this.#refresh = refresh
  }

  /** What is being asked of that person, once it is answered; of nobody alone where none is given. */
  async answered<T>(asked: Promise<T>, userId: string | undefined): Promise<Answered<T>> {
    const answered = asked.then((answer) => ({ answer, turn: (this.#turns += 1) }))
    if (userId === undefined) return answered
    const all = this.#asked.get(userId) ?? new Set()
    this.#asked.set(userId, all.add(answered))
    try {
      return await answered
    } finally {
      all.delete(answered)
      if (all.size === 0) this.#asked.delete(userId)
    }
  }

  /** Notes a reading of that person which begins now. */
  noteReading(userId: string, outcome: Promise<RefreshOutcome>): Promise<RefreshOutcome> {
    this.#read.delete(userId)
    this.#read.set(userId, { turn: (this.#turns += 1), outcome })
    const [oldest] = this.#read.keys()
    if (this.#read.size > readingsMax && oldest !== undefined) this.#read.delete(oldest)
    return outcome
  }

  /** The outcome of a reading of that person that began after that turn. It waits for answers under way, so that one reading serves them all. */
  async readSince(userId: string, turn: number): Promise<RefreshOutcome> {
    const asked: Iterable<Promise<unknown>> = this.#asked.get(userId) ?? []
    await Promise.allSettled(asked)
    const last = this.#read.get(userId)
    if (last && last.turn > turn) return last.outcome
    const request = { collection: { kind: 'user', subject: userId }, scope: anyScope } as const
    return this.noteReading(userId, this.#refresh(request))
  }
}
