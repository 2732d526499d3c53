import { setImmediate as turn } from 'node:timers/promises'

/** So long may one step of a long work keep all else waiting. */
const stepMs = 5

/** Lets others have their turn between the steps of a long work. */
export interface Rests {
  /** Whether it is time. */
  isDue(): boolean
  /** Waits until others have had theirs; fails with the signal's reason once it is aborted. */
  take(): Promise<void>
}

/** For one work that begins now. */
export function createRests(signal?: AbortSignal): Rests {
  let begunAt = performance.now()
  return {
    isDue: () => performance.now() - begunAt >= stepMs,
    async take() {
      await turn()
      signal?.throwIfAborted()
      begunAt = performance.now()
    },
  }
}

/** Takes the steps one after the other, with rests between them, and gives what they come to. */
export async function inSteps<T>(
  steps: Iterator<unknown, T>,
  rests: Rests = createRests(),
): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (rests.isDue()) await rests.take()
  }
}
