import { type Clock, type Instant, type Log, minuteMs } from '../../domain/world.ts'
import type { Siblings } from '../http-deps.ts'

/** What became of one calendar. */
export interface RunLine {
  readonly name: string
  readonly userId: string
  readonly outcome: 'done' | 'skipped' | 'failed'
  /** Why, or a note; `isEnglish` if it is no sentence of the console. */
  readonly note: { readonly text: string; readonly isEnglish: boolean } | null
  /** The new address of the page, which is shown once. */
  readonly page?: string | undefined
}

export interface BulkRun {
  readonly total: number
  readonly lines: readonly RunLine[]
  readonly state: 'running' | 'ended' | 'stopped'
  readonly endedAt: Instant | null
  /** Resolves once it has ended or stopped; never for a run of another process. */
  readonly ended: Promise<void>
}

/** More than staff begin at a time. */
const runsMax = 50
const toldEveryMs = 500
/** Lines name people. */
const keptMs = 15 * minuteMs

/** What the other processes behind the same port are told of a run. */
interface ToldRun extends Omit<BulkRun, 'ended'> {
  readonly bulkRun: string
}

interface BulkDeps {
  readonly clock: Clock
  readonly log: Log
  readonly siblings: Siblings | null
}

/**
 * Work on many calendars: begun once for each form, even if its button is pressed twice. It goes on if the browser is closed.
 * Other processes behind the same port know of runs without secrets.
 */
export class BulkRuns {
  readonly #clock: Clock
  readonly #log: Log
  readonly #siblings: Siblings | null
  readonly #runs = new Map<string, BulkRun>()

  constructor({ clock, log, siblings }: BulkDeps) {
    this.#clock = clock
    this.#log = log
    this.#siblings = siblings
    siblings?.listen((message) => {
      if (isToldRun(message))
        this.#keep(message.bulkRun, { ...message, ended: new Promise(() => undefined) })
    })
  }

  find(key: string): BulkRun | undefined {
    this.#dropOld()
    return this.#runs.get(key)
  }

  /** The run of that key, which this begins unless it is known. */
  begin(
    key: string,
    total: number,
    work: (add: (line: RunLine) => void) => Promise<void>,
  ): BulkRun {
    const known = this.find(key)
    if (known) return known
    const lines: RunLine[] = []
    const run: Omit<BulkRun, 'ended'> = { total, lines, state: 'running', endedAt: null }
    const end = (state: BulkRun['state']): void => {
      Object.assign(run, { state, endedAt: this.#clock.now() })
      this.#tell(key, run)
    }
    let toldAt = this.#tell(key, run)
    const ended = work((line) => {
      lines.push(line)
      if (this.#clock.now() - toldAt >= toldEveryMs) toldAt = this.#tell(key, run)
    }).then(
      () => end('ended'),
      (error: unknown) => {
        end('stopped')
        this.#log.error({ done: lines.length, total, error }, 'bulk_run_stopped')
      },
    )
    const begun = Object.assign(run, { ended })
    this.#keep(key, begun)
    return begun
  }

  /** Its lines have been shown, and hold secrets. */
  forget(key: string): void {
    this.#runs.delete(key)
  }

  #keep(key: string, run: BulkRun): void {
    this.#runs.set(key, run)
    this.#dropOldest()
  }

  /** Returns when it told them. New addresses are shown by the process that made them. */
  #tell(key: string, { total, lines, state, endedAt }: Omit<BulkRun, 'ended'>): Instant {
    const shown = lines.map(({ page: _page, ...line }) => line)
    const told: ToldRun = { bulkRun: key, total, lines: shown, state, endedAt }
    this.#siblings?.tell(told)
    return this.#clock.now()
  }

  #dropOld(): void {
    const now = this.#clock.now()
    for (const [key, { endedAt }] of this.#runs) {
      if (endedAt !== null && endedAt + keptMs <= now) this.#runs.delete(key)
    }
  }

  #dropOldest(): void {
    for (const [key, { state }] of this.#runs) {
      if (this.#runs.size <= runsMax) return
      if (state !== 'running') this.#runs.delete(key)
    }
  }
}

function isToldRun(message: object): message is ToldRun {
  return 'bulkRun' in message
}
