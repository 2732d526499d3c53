import { uptime } from 'node:os'

import type { Clock } from '../domain/world.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end)
        resolve()
      }, ms)
      if (signal?.aborted === true) end()
      else signal?.addEventListener('abort', end, { once: true })
    }),
}

/** Three ways in which a machine counts milliseconds. */
interface MachineCounts {
  /** While it is awake. */
  readonly awakeMs: () => number
  /** By the time that it is set to. */
  readonly wallMs: () => number
  /** Awake or asleep; dearer to ask. */
  readonly upMs: () => number
}

const apartMs = 1000

/** Milliseconds since some moment, whatever the machine's clock is set to and however long it sleeps meanwhile. */
export function elapsedBy({ awakeMs, wallMs, upMs }: MachineCounts): () => number {
  let apart = wallMs() - awakeMs()
  let asleep = upMs() - awakeMs()
  return () => {
    const awake = awakeMs()
    const difference = wallMs() - awake
    // It has slept since, or its clock was set.
    if (Math.abs(difference - apart) > apartMs) {
      apart = difference
      asleep = upMs() - awake
    }
    return awake + asleep
  }
}

/** Of this machine. */
export const elapsedMs = elapsedBy({
  awakeMs: () => performance.now(),
  wallMs: () => Date.now(),
  upMs: () => uptime() * 1000,
})
