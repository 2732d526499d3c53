import { type Clock, clockSkewMs, type Instant, type Log, repeat } from '../domain/world.ts'

const comparedEveryMs = 60_000
/** Less is not worth a step. */
const settledMs = 1000

/** A time that several nodes can ask for, and how much of it passes between two times that they do. */
export interface CommonTime {
  read(): Promise<Instant>
  /** Since some moment, whatever this machine's clock is set to and however long it sleeps meanwhile. */
  elapsedMs(): number
}

interface CommonClockDeps {
  /** This machine's. */
  readonly own: Clock
  readonly common: CommonTime
  readonly log: Log
}

/** The time that all nodes go by, whatever their own clocks say: a day is over for all of them at once. */
export class CommonClock implements Clock {
  readonly #deps: CommonClockDeps
  #at: Instant
  #elapsedMs: number
  #isOff = false
  #end: (() => Promise<void>) | undefined

  private constructor(deps: CommonClockDeps) {
    this.#deps = deps
    this.#at = deps.own.now()
    this.#elapsedMs = deps.common.elapsedMs()
  }

  /** The time read once; fails as reading it does. */
  static async open(deps: CommonClockDeps): Promise<CommonClock> {
    const clock = new CommonClock(deps)
    await clock.#compare()
    return clock
  }

  now(): Instant {
    return this.#timeAt(this.#deps.common.elapsedMs())
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#deps.own.sleep(ms, signal)
  }

  /** Reads the time again and again from now on. */
  start(): void {
    const { own, log } = this.#deps
    const work = (): Promise<void> => this.#compare()
    this.#end = repeat({ name: 'clock', everyMs: comparedEveryMs, work }, { clock: own, log })
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  async #compare(): Promise<void> {
    const { own, common } = this.#deps
    const begunMs = common.elapsedMs()
    const read = await common.read()
    const elapsedMs = common.elapsedMs()
    // It was read somewhere between asking and hearing.
    const at = read + (elapsedMs - begunMs) / 2
    this.#tell(own.now() - at)
    if (Math.abs(at - this.#timeAt(elapsedMs)) < settledMs) return
    this.#at = at
    this.#elapsedMs = elapsedMs
  }

  #timeAt(elapsedMs: number): Instant {
    return Math.round(this.#at + elapsedMs - this.#elapsedMs)
  }

  /** Says when this machine's clock is found wrong, and when it is right again. */
  #tell(aheadMs: number): void {
    const isOff = Math.abs(aheadMs) > clockSkewMs
    if (isOff === this.#isOff) return
    this.#isOff = isOff
    this.#deps.log.warn({ aheadMs: Math.round(aheadMs) }, isOff ? 'clock_is_off' : 'clock_is_right')
  }
}
