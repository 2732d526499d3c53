import { setTimeout as pause } from 'node:timers/promises'

import { isBusy } from './sqlite-errors.ts'

/** Between two looks whether another process has ended its transaction. */
const pauseMs = 2

/** Begins anew, after that error, until no other process writes, for so long at most; fails as the last time. */
export async function beginOnceFree(
  failed: unknown,
  begin: () => Promise<void>,
  patienceMs: number,
): Promise<void> {
  const until = performance.now() + patienceMs
  let error = failed
  while (isBusy(error) && performance.now() < until) {
    await pause(pauseMs)
    try {
      return await begin()
    } catch (reason) {
      error = reason
    }
  }
  throw error
}
