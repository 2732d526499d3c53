import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Instant, Clock } from '../../../src/domain/world.ts'

export interface FakeClock extends Clock {
  /** Moves time on, sleeper by sleeper in order of waking; what each one does next has begun before the next wakes. */
  advance(ms: number): Promise<void>
  /** Resolves as soon as `count` sleeps are under way. */
  sleepers(count: number): Promise<void>
}

interface Sleeper {
  readonly wakesAt: Instant
  readonly wake: () => void
}

/** 2026-01-05T12:00:00Z, a Monday. */
const START: Instant = Date.UTC(2026, 0, 5, 12)

/** A clock that stands still until `advance` is called. */
export function createFakeClock(start: Instant = START): FakeClock {
  let now = start
  const sleeping = new Set<Sleeper>()
  const observers = new Set<() => void>()

  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { promise, resolve: wake } = Promise.withResolvers<undefined>()
    const sleeper = { wakesAt: now + ms, wake: () => wake(undefined) }
    sleeping.add(sleeper)
    signal?.addEventListener('abort', sleeper.wake, { once: true })
    for (const observe of observers) observe()
    await promise
    sleeping.delete(sleeper)
    signal?.removeEventListener('abort', sleeper.wake)
    signal?.throwIfAborted()
  }

  async function advance(ms: number): Promise<void> {
    const until = now + ms
    await wakeThoseBefore(until)
    now = until
    await nextTurn()
  }

  async function wakeThoseBefore(until: Instant): Promise<void> {
    const [next] = [...sleeping]
      .filter((sleeper) => sleeper.wakesAt <= until)
      .toSorted((a, b) => a.wakesAt - b.wakesAt)
    if (!next) return
    now = Math.max(now, next.wakesAt)
    next.wake()
    await nextTurn()
    await wakeThoseBefore(until)
  }

  function sleepers(count: number): Promise<void> {
    return new Promise((resolve) => {
      function observe(): void {
        if (sleeping.size < count) return
        observers.delete(observe)
        resolve()
      }
      observers.add(observe)
      observe()
    })
  }

  return { now: () => now, sleep, advance, sleepers }
}

/** The clock of a machine that was set so much too far. */
export function aheadOf(clock: Clock, ms: number): Clock {
  return { now: () => clock.now() + ms, sleep: (asleepMs, signal) => clock.sleep(asleepMs, signal) }
}

/** A clock on which a sleep takes no time: it moves the clock on instead. One of more than `mostMs` never ends. */
export function createSkippingClock(start: Instant = START, mostMs = Infinity): Clock {
  let now = start
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      if (ms > mostMs) return sleepUntilAborted(signal)
      now += ms
      await nextTurn()
    },
  }
}

async function sleepUntilAborted(signal: AbortSignal | undefined): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}
