import { setTimeout } from 'node:timers/promises'

import closeWithGrace from 'close-with-grace'
import pino, { type Logger } from 'pino'

import { withoutSecrets } from '../domain/secrets.ts'
import { type Clock, clockSkewMs, type Instant, type Log, Repeated } from '../domain/world.ts'
import type { SandboxDeps } from '../sandbox/start-sandbox.ts'
import type { Settings } from '../settings/read-settings.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    setTimeout(ms, undefined, { signal }).catch(() => signal?.throwIfAborted()),
}

const comparedEveryMs = 60_000
/** Less is not worth a step. */
const settledMs = 1000

/** A time that several nodes can ask for, and how much of it passes between two times that they do. */
export interface CommonTime {
  read(): Promise<Instant>
  /** Since some moment, however this machine's clock is set meanwhile. */
  elapsedMs(): number
}

/** The time that all nodes go by, whatever their own clocks say: a day is over for all of them at once. */
export class CommonClock implements Clock {
  readonly #deps: { readonly own: Clock; readonly common: CommonTime; readonly log: Log }
  #at: Instant
  #elapsedMs: number
  #isOff = false
  readonly #rounds: Repeated

  private constructor(deps: { own: Clock; common: CommonTime; log: Log }) {
    this.#deps = deps
    this.#at = deps.own.now()
    this.#elapsedMs = deps.common.elapsedMs()
    const work = (): Promise<void> => this.#compare()
    const clock = { name: 'clock', everyMs: comparedEveryMs, work }
    this.#rounds = new Repeated({ clock: deps.own, log: deps.log }, clock)
  }

  /** Reads the time once; fails as reading it does. */
  static async open(deps: { own: Clock; common: CommonTime; log: Log }): Promise<CommonClock> {
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
    this.#rounds.start()
  }

  close(): Promise<void> {
    return this.#rounds.close()
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

/** The program's log: JSON lines on standard error, without any feed's secret, so that no log ever opens a calendar. */
export function createLog(level: string): Logger {
  // Lines of busy moments are written together: one by one each would cost as much as an answer.
  const together = { minLength: 16_000, periodicFlush: 100 }
  const stream = pino.destination({ dest: 2, sync: false, ...together })
  return pino(
    {
      level,
      base: null,
      formatters: { level: (word) => ({ level: word }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.err },
      hooks: { streamWrite: withoutSecrets },
    },
    stream,
  )
}

/** What the process edge hands in. */
export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** The user id of the process; undefined on systems without. */
  readonly userId?: number | undefined
  /** Of the program and its time-zone data. */
  readonly versions: string
  /** What the embedded Read API knows of the server that it runs in. */
  readonly besideSandbox?: Pick<SandboxDeps, 'adminToken' | 'changed' | 'pageOf'>
  /** By which all nodes go: the database's where it is left out, each by its own clock where it is null. */
  readonly commonTime?: CommonTime | null
}

const closeAfterMs = 10_000

/** Closes what runs when the process is to end, by a signal or an error, which is told; ends it in any case after ten seconds. */
export function untilEnd(close: (error: Error | undefined) => Promise<void>): void {
  closeWithGrace({ delay: closeAfterMs, logger: false }, ({ err }) => close(err))
}

/** What the environment says, and the world as this process has it. */
export interface Setup {
  readonly settings: Settings
  readonly surroundings: Surroundings
}
