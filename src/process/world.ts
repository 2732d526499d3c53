import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'

import pino, { type Logger } from 'pino'

import type { Measures } from '../domain/measures.ts'
import { withoutSecrets } from '../domain/secrets.ts'
import { type Clock, clockSkewMs, type Instant, type Log, Repeated } from '../domain/world.ts'
import type { SandboxDeps } from '../sandbox/start-sandbox.ts'
import type { Settings } from '../settings/read-settings.ts'
import type { Runtime } from './ending.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    setTimeout(ms, undefined, { signal }).catch(() => signal?.throwIfAborted()),
}

const comparedEveryMs = 60_000
/** A smaller difference is not worth a step of the clock. */
const settledMs = 1000

/** A time that several nodes can read, and a measure of the time that passes between reads. */
export interface CommonTime {
  read(): Promise<Instant>
  /** Monotonic, even if this machine's clock is set meanwhile. */
  elapsedMs(): number
}

/** The time that all nodes follow, whatever their own clocks say, so that a day ends for all at once. */
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

  /** Reads the time once; fails if the read fails. */
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

  /** Reads the time repeatedly from now on. */
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
    // It was read at some moment between request and response.
    const at = read + (elapsedMs - begunMs) / 2
    this.#tell(own.now() - at)
    if (Math.abs(at - this.#timeAt(elapsedMs)) < settledMs) return
    this.#at = at
    this.#elapsedMs = elapsedMs
  }

  #timeAt(elapsedMs: number): Instant {
    return Math.round(this.#at + elapsedMs - this.#elapsedMs)
  }

  /** Logs when this machine's clock turns out to be wrong, and when it is right again. */
  #tell(aheadMs: number): void {
    const isOff = Math.abs(aheadMs) > clockSkewMs
    if (isOff === this.#isOff) return
    this.#isOff = isOff
    this.#deps.log.warn({ aheadMs: Math.round(aheadMs) }, isOff ? 'clock_is_off' : 'clock_is_right')
  }
}

/**
 * Creates the program's log: JSON lines on standard error, without feeds' secrets, so that no log can open a calendar. Lines
 * of one of several processes name it.
 */
export function createLog(level: string): Logger {
  // At busy moments, lines are written together; one by one, each would cost as much as a response.
  const together = { minLength: 16_000, periodicFlush: 100 }
  // A pipe that several processes write to keeps this much together (PIPE_BUF).
  const intact = cluster.isWorker ? { minLength: 4000, maxWrite: 4096 } : {}
  const stream = pino.destination({ dest: 2, sync: false, ...together, ...intact })
  return pino(
    {
      level,
      base: cluster.worker ? { worker: cluster.worker.id } : null,
      formatters: { level: (word) => ({ level: word }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: serializeError },
      hooks: { streamWrite: withoutSecrets },
    },
    stream,
  )
}

/** Sentences of causes are only in `stack`: behind the full stop of `message` they would read as part of it. */
function serializeError(error: Error): object {
  return { ...pino.stdSerializers.err(error), message: error.message }
}

/** What the entry point of the process provides. */
export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** User id of the process; undefined on systems without user ids. */
  readonly userId?: number | undefined
  /** Left out where nobody asks for figures. */
  readonly measures?: Measures | undefined
  /** Versions of the program and its time-zone data. */
  readonly versions: string
  /** What the embedded Read API knows of the server that it runs in. */
  readonly besideSandbox?: Pick<SandboxDeps, 'adminToken' | 'changed' | 'pageOf'>
  /** The time that all nodes follow: the database's if undefined; null lets each node use its own clock. */
  readonly commonTime?: CommonTime | null
}

/** Settings from the environment, and this process's surroundings. */
export interface Setup {
  readonly settings: Settings
  readonly surroundings: Surroundings
  readonly runtime: Runtime
}
