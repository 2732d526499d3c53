import type { Instant, Clock } from '../domain/world.ts'

export interface Pause {
  /** Pauses for so long from now; never shortens a pause. */
  extend(ms: number): void
  /** How long the pause still lasts; 0 where there is none. */
  remainingMs(): number
}

/** The time during which the API has asked not to be asked. */
export function createPause(clock: Clock): Pause {
  let until: Instant = -Infinity
  return {
    extend(ms) {
      until = Math.max(until, clock.now() + ms)
    },
    remainingMs: () => Math.max(0, until - clock.now()),
  }
}
