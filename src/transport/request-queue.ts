export interface RequestQueue {
  /** Runs the operation as soon as one of the places is free, first come, first served; fails with the signal's reason while waiting. */
  run<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** At most `places` operations at once. */
export function createRequestQueue(places: number): RequestQueue {
  let free = places
  const waiting = new Set<() => void>()

  async function run<T>(operation: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await enter(signal)
    try {
      return await operation()
    } finally {
      leave()
    }
  }

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) free -= 1
    else await turn(signal)
  }

  async function turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const admit = (): void => resolve(true)
    const giveUp = (): void => {
      waiting.delete(admit)
      resolve(false)
    }
    waiting.add(admit)
    signal.addEventListener('abort', giveUp, { once: true })
    const admitted = await promise
    signal.removeEventListener('abort', giveUp)
    if (!admitted) signal.throwIfAborted()
  }

  function leave(): void {
    const [next] = waiting
    if (!next) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }

  return { run }
}
