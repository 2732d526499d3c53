/* One time for all nodes. */
import { expect, it } from 'vitest'

import { CommonClock } from '../src/process/world.ts'
import { openStore } from '../src/store/open-store.ts'
import { aheadOf, createFakeClock } from './support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from './support/bridge/recorded-log.ts'
import { silentLog } from './support/bridge/silent-log.ts'
import { databases } from './support/database/databases.ts'

const hourMs = 3_600_000

it('a clock set wrongly, or set again later, makes no difference', async () => {
  const right = createFakeClock()
  let offMs = 72 * hourMs
  const own = { ...aheadOf(right, 0), now: () => right.now() + offMs }
  const common = { read: async () => right.now(), elapsedMs: () => right.now() + 7 }
  const lines: LogLine[] = []
  const clock = await CommonClock.open({ own, common, log: recordedLog(lines) })
  clock.start()
  for (const next of [0, 72 * hourMs, -hourMs, 0]) {
    offMs = next
    await right.sleepers(1)
    await right.advance(90_000)
    expect(clock.now()).toBe(right.now())
  }
  expect(lines.map(({ event }) => event)).toEqual([
    'clock_is_off',
    'clock_is_right',
    'clock_is_off',
    'clock_is_right',
  ])
  await clock.close()
})

it('the time is corrected one minute after it was wrong', async () => {
  const right = createFakeClock()
  let offMs = 30 * hourMs
  const common = { read: async () => right.now() + offMs, elapsedMs: () => right.now() }
  const clock = await CommonClock.open({ own: right, common, log: silentLog })
  clock.start()
  await right.sleepers(1)
  offMs = 0
  await right.advance(60_000)
  await expect.poll(() => clock.now()).toBe(right.now())
  await clock.close()
})

it('a slow answer is assumed to be given half-way', async () => {
  const right = createFakeClock()
  const read = async (): Promise<number> => {
    await right.advance(10_000)
    const now = right.now()
    await right.advance(10_000)
    return now
  }
  const common = { read, elapsedMs: () => right.now() }
  const clock = await CommonClock.open({ own: right, common, log: silentLog })
  expect(clock.now()).toBe(right.now())
})

it.each(databases)('$name tells the time if it may be another machine', async (one) => {
  const store = await openStore(await one.create())
  const time = await store.time?.()
  await store.close()
  if (one.name === 'SQLite') expect(time).toBeUndefined()
  else expect(Math.abs(Number(time) - Date.now())).toBeLessThan(hourMs)
})
