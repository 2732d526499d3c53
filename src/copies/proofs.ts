import { type Clock, type Log, repeat } from '../domain/world.ts'
import type { Source } from './source.ts'

const everyMs = 3_600_000

interface ProofsDeps {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly clock: Clock
  readonly log: Log
}

/** Looks once an hour, company by company, after what is proven of leaves. */
export class Proofs {
  readonly #deps: ProofsDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: ProofsDeps) {
    this.#deps = deps
  }

  start(): void {
    const work = (signal: AbortSignal): Promise<void> => this.#keep(signal)
    this.#end ??= repeat({ name: 'leave_proofs', everyMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  async #keep(signal: AbortSignal): Promise<void> {
    for (const source of this.#deps.sources.values()) await source.keepProof(signal)
  }
}
