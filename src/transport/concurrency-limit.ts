/*
 * Limits the requests to one Read API at once. The limit adapts by the rules of TCP Vegas, CUBIC and Envoy's adaptive
 * concurrency. It rises while responses are about as fast as with few requests at once, falls when they are slower, and
 * halves when the API refuses. When in doubt it spares the API. Times are compared within one operation only, by lower
 * quartiles, since single responses can be slow for other reasons. When responses become slow, the level falls to a few
 * requests and the operation is measured again. If it is still slow, the API itself is slow: the level is restored, and
 * this is the time to compare with from now on. If it is faster, concurrency was the cause, and the level becomes what the
 * API carried without delay. Times with few requests count for a minute, since a slow API may become fast. The level never
 * rises while it is not fully used.
 */

/** Few enough to burden no API. */
const fewAtOnce = 4
/** Initial level, before anything is measured. */
const firstAtOnce = 8
/** Response times needed to judge an operation. */
const enough = 8
/** Longer times count as slower than with few at once. The milliseconds allow for timer noise in short times. */
const tolerated = { times: 1.25, ms: 3 }
/** How long times with few at once stay valid. */
const knownMs = 60_000

export interface Sent {
  readonly operation: string
  readonly at: number
  /** Requests under way, including this one. */
  readonly underWay: number
  /** Level changes before this request. */
  readonly changes: number
}

/** Response times of one operation, in milliseconds. */
interface Times {
  /** The latest times with few requests at once. */
  few: number[]
  /** When the latest of these was measured. */
  fewAt: number
  /** Times with the level fully used, since the level last changed. */
  full: number[]
}

/** An operation that was slow at a level and is measured again with few at once. */
interface Suspicion {
  readonly operation: string
  readonly level: number
  readonly ms: number
}

export class ConcurrencyLimit {
  readonly #least: number
  readonly #most: number
  readonly #times = new Map<string, Times>()
  #level: number
  #underWay = 0
  #changes = 0
  /** Value of `#changes` at the last lasting decrease. */
  #fall = 0
  /** The level that was last too high. Steps towards it get smaller, steps beyond it larger. */
  #tooMuch = Infinity
  #stepBeyond = 1
  #suspicion: Suspicion | undefined
  /** Responses since the suspicion arose. */
  #examined = 0

  constructor(most: number) {
    this.#least = Math.min(fewAtOnce, most)
    this.#most = most
    this.#level = Math.min(firstAtOnce, most)
  }

  /** The number of requests that may be under way at once. */
  get level(): number {
    return this.#level
  }

  /** Registers a request sent at `at`, in milliseconds; end it with `answer`, `refuse` or `drop`. */
  send(operation: string, at: number): Sent {
    this.#underWay += 1
    return { operation, at, underWay: this.#underWay, changes: this.#changes }
  }

  /** Records a response and its time. */
  answer({ operation, at: sentAt, underWay, changes }: Sent, at: number): void {
    this.#underWay -= 1
    const times = this.#timesOf(operation)
    const ms = at - sentAt
    if (underWay <= this.#least) {
      times.few = [...times.few, ms].slice(-enough)
      times.fewAt = at
    }
    if (this.#suspicion) return this.#examine(this.#suspicion)
    if (underWay < this.#level || changes !== this.#changes) return
    times.full.push(ms)
    this.#judge(operation, times, at)
  }

  /** Records that the API is overloaded, out of reach or limits our rate. All requests sent before that count once. */
  refuse({ changes }: Sent): void {
    this.#underWay -= 1
    if (changes < this.#fall) return
    const level = this.#suspicion?.level ?? this.#level
    this.#fallTo(level / 2, level)
  }

  /** Ends a request that says nothing about the API. */
  drop(): void {
    this.#underWay -= 1
  }

  #judge(operation: string, { few, fewAt, full }: Times, at: number): void {
    if (full.length < enough) return
    const ms = lowerQuartile(full)
    const isFew = this.#level === this.#least
    const isKnown = few.length === enough && at - fewAt < knownMs
    if (isFew || (isKnown && !isSlower(ms, few))) this.#rise()
    else if (full.length >= this.#level / 2) this.#suspect({ operation, level: this.#level, ms })
  }

  #suspect(suspicion: Suspicion): void {
    this.#suspicion = suspicion
    this.#examined = 0
    this.#timesOf(suspicion.operation).few = []
    this.#set(this.#least)
  }

  #examine({ operation, level, ms }: Suspicion): void {
    this.#examined += 1
    const { few } = this.#timesOf(operation)
    const isKnown = few.length === enough
    // Give up after a while: the operation may no longer be requested.
    if (!isKnown && this.#examined < 8 * enough) return
    this.#suspicion = undefined
    if (isKnown && isSlower(ms, few)) this.#fallTo((level * lowerQuartile(few)) / ms, level)
    else this.#set(level)
  }

  #rise(): void {
    const isBelow = this.#level < this.#tooMuch
    const step = isBelow ? Math.ceil((this.#tooMuch - this.#level) / 2) : this.#stepBeyond
    if (!isBelow) this.#stepBeyond *= 2
    const most = Math.max(1, Math.floor(this.#level / 2))
    this.#set(Math.min(this.#most, this.#level + Math.min(step, most)))
  }

  #fallTo(level: number, tooMuch: number): void {
    this.#suspicion = undefined
    this.#tooMuch = tooMuch
    this.#stepBeyond = 1
    this.#set(Math.max(this.#least, Math.floor(level)))
    this.#fall = this.#changes
  }

  #set(level: number): void {
    this.#level = level
    this.#changes += 1
    for (const times of this.#times.values()) times.full = []
  }

  #timesOf(operation: string): Times {
    const times = this.#times.get(operation) ?? { few: [], fewAt: -Infinity, full: [] }
    this.#times.set(operation, times)
    return times
  }
}

function isSlower(ms: number, few: readonly number[]): boolean {
  return ms > lowerQuartile(few) * tolerated.times + tolerated.ms
}

function lowerQuartile(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 4)] ?? 0
}
