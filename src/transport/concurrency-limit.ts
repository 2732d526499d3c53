/*
 * How many requests to one Read API may be under way at once. The limit finds its own level, by the rules of TCP Vegas, CUBIC
 * and Envoy's adaptive concurrency: up while answers come about as fast as with few at once, down when they take longer, to
 * half when the API refuses. When in doubt it spares the API.
 *
 * An answer's time is compared with those of the same operation only, by lower quartiles, since single answers are slow for
 * reasons of their own. When answers become slow, the level falls to few at once and the operation is measured again. If it is
 * still slow, the API itself is slow: the level goes back, and that is the time to compare with from now on. If it is faster,
 * the number at once was the cause, and the level becomes what the API carried without delay. Times with few at once count for
 * a minute: a slow API may become fast. The level never rises while requests leave places free.
 */

/** A burden to no API. */
const fewAtOnce = 4
/** The level at the beginning, when nothing is known. */
const firstAtOnce = 8
/** Answers of one operation that say how fast it is. */
const enough = 8
/** What takes longer than this is slower than with few at once; the milliseconds are for short times, which timers blur. */
const tolerated = { times: 1.25, ms: 3 }
/** How long times with few at once count. */
const knownMs = 60_000

/** A request under way. */
export interface Sent {
  readonly operation: string
  readonly at: number
  /** With itself. */
  readonly underWay: number
  /** How often the level had changed. */
  readonly changes: number
}

/** Of one operation, in milliseconds. */
interface Times {
  /** The last ones with few at once. */
  few: number[]
  /** When the last of them came. */
  fewAt: number
  /** Those with as many at once as may be, since the level last changed. */
  full: number[]
}

/** An operation that was slow at a level, and is measured with few at once. */
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
  /** The change by which it last fell for good. */
  #fall = 0
  /** What was too much last: approached by ever smaller steps, left behind by ever larger ones. */
  #tooMuch = Infinity
  #stepBeyond = 1
  #suspicion: Suspicion | undefined
  /** Answers since it is being examined. */
  #examined = 0

  constructor(most: number) {
    this.#least = Math.min(fewAtOnce, most)
    this.#most = most
    this.#level = Math.min(firstAtOnce, most)
  }

  /** How many may be under way at once. */
  get level(): number {
    return this.#level
  }

  /** Notes a request that is sent at that time, in milliseconds; one of the three below ends it. */
  send(operation: string, at: number): Sent {
    this.#underWay += 1
    return { operation, at, underWay: this.#underWay, changes: this.#changes }
  }

  /** It was answered. */
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

  /** The API is overloaded or out of reach, or has been asked too much. All requests sent before it said so count once. */
  refuse({ changes }: Sent): void {
    this.#underWay -= 1
    if (changes < this.#fall) return
    const level = this.#suspicion?.level ?? this.#level
    this.#fallTo(level / 2, level)
  }

  /** Its end says nothing about the API. */
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
    // The operation may not be asked for any more.
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
