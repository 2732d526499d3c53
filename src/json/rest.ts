import { setImmediate as turn } from 'node:timers/promises'

/** How long one slice of a long work may hold the event loop. */
const stepMs = 5

/** Lets others have their turn between the slices of long work that begins now. */
export interface Rests {
  isDue(): boolean
  take(): Promise<void>
}

export function createRests(): Rests {
  let begunAt = performance.now()
  return {
    isDue: () => performance.now() - begunAt >= stepMs,
    async take() {
      await turn()
      begunAt = performance.now()
    },
  }
}

/** `list.map(make)` in slices. */
export async function mapInSlices<T, R>(list: readonly T[], make: (it: T) => R): Promise<R[]> {
  const rests = createRests()
  const results: R[] = []
  for (const it of list) {
    results.push(make(it))
    if (rests.isDue()) await rests.take()
  }
  return results
}
