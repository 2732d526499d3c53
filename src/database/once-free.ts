import { setTimeout as pause } from 'node:timers/promises'

import { isBusy } from './sqlite-errors.ts'

/** For so long a lock of another process is waited for. */
export const patienceMs = 5000
/** Between two looks whether the lock is gone: the longer it has been held, the longer. */
const pauseMs = { least: 2, most: 50 }

interface Patience {
  /** From when it counts; left out where that is now. */
  readonly since?: number
  /** Ends it. */
  readonly signal?: AbortSignal
}

/**
 * Does the work again and again while another process has what it needs locked, for as long as patience lasts;
 * fails as the last time. SQLite itself would hold up the whole program while it waits.
 */
export async function onceFree<T>(
  work: () => T | Promise<T>,
  { since = performance.now(), signal }: Patience = {},
): Promise<T> {
  for (let ms = pauseMs.least; ; ms = Math.min(2 * ms, pauseMs.most)) {
    try {
      return await work()
    } catch (error) {
      const isOver = signal?.aborted === true || performance.now() >= since + patienceMs
      if (isOver || !isBusy(error)) throw error
    }
    await pause(ms)
  }
}
