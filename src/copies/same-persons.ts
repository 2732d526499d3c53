import type { CollectionRequest } from './kinds/kind.ts'
import { anyScope } from './kinds/kind.ts'
import type { RefreshOutcome } from './refresher.ts'

interface PersonRead {
  readonly turn: number
  readonly outcome: Promise<RefreshOutcome>
}

/** Of all people together: each takes some hundred bytes. */
const readingsMax = 100_000

/**
 * The last reading of each person on this node, in what order it was begun with other readings: before anything new of a person
 * is kept they are read once more, by one request for all that was answered before it.
 */
export class SamePersons {
  readonly #refresh: (request: CollectionRequest) => Promise<RefreshOutcome>
  readonly #read = new Map<string, PersonRead>()
  #turns = 0

  constructor(refresh: (request: CollectionRequest) => Promise<RefreshOutcome>) {
    this.#refresh = refresh
  }

  /** The turn of a reading that begins now. */
  turn(): number {
    return (this.#turns += 1)
  }

  /** Notes a reading of that person which begins now. */
  noteReading(userId: string, outcome: Promise<RefreshOutcome>): Promise<RefreshOutcome> {
    this.#read.delete(userId)
    this.#read.set(userId, { turn: this.turn(), outcome })
    const [oldest] = this.#read.keys()
    if (this.#read.size > readingsMax && oldest !== undefined) this.#read.delete(oldest)
    return outcome
  }

  /** What a reading of that person brought that was begun after that turn. */
  async readSince(userId: string, turn: number): Promise<RefreshOutcome> {
    const last = this.#read.get(userId)
    if (last && last.turn > turn) return last.outcome
    return this.#refresh({ collection: { kind: 'user', subject: userId }, scope: anyScope })
  }
}
