import { covers, widest, type WindowOption } from '../domain/feed-options.ts'

interface Flight {
  readonly reach: WindowOption | null
  readonly done: Promise<void>
}

/** Refreshes under way: one for all who wait for the same collection, as far as it reaches far enough for them. */
export class Flights {
  /** By key. */
  readonly #flights = new Map<string, Flight>()
  /** Those that a wider one has overtaken, too. */
  readonly #running = new Set<Promise<void>>()

  /** Whether one is under way. */
  has(key: string): boolean {
    return this.#flights.has(key)
  }

  /** Waits for the one under way, or for one that reaches as far as it and `wanted` both. */
  join(
    key: string,
    wanted: WindowOption | null,
    refresh: (reach: WindowOption | null) => Promise<void>,
  ): Promise<void> {
    const underWay = this.#flights.get(key)
    if (underWay && covers(underWay.reach, wanted)) return underWay.done
    const reach = widest(wanted, underWay?.reach ?? null)
    const done = refresh(reach).finally(() => {
      this.#running.delete(done)
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    })
    this.#running.add(done)
    const flight: Flight = { reach, done }
    this.#flights.set(key, flight)
    return done
  }

  /** Waits until none is under way. */
  async ended(): Promise<void> {
    await Promise.all(this.#running)
  }
}
