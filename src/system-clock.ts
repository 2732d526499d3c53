import { setTimeout } from 'node:timers/promises'

import type { Clock } from './domain/world.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal ? { signal } : {}),
}
