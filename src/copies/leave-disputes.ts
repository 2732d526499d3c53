import { type Clock, type Log, repeat } from '../domain/world.ts'
import type { Source } from './source.ts'

const everyMs = 3_600_000

interface LeaveDisputesDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly clock: Clock
  readonly log: Log
}

/** Settles once an hour, company by company, whose a disputed leave is. */
export class LeaveDisputes {
  readonly #deps: LeaveDisputesDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: LeaveDisputesDeps) {
    this.#deps = deps
  }

  start(): void {
    const work = (signal: AbortSignal): Promise<void> => this.#settle(signal)
    this.#end ??= repeat({ name: 'leave_disputes', everyMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  async #settle(signal: AbortSignal): Promise<void> {
    for (const source of this.#deps.sources.values()) await source.settleDisputes(signal)
  }
}
