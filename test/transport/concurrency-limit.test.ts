/* How many requests at once are allowed, by APIs whose answers take as long as a model says. */
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { ConcurrencyLimit, type Sent } from '../../src/transport/concurrency-limit.ts'

interface Api {
  /** How long an answer takes with so many under way. */
  readonly ms: (operation: string, underWay: number, now: number) => number
  /** So many are asked for at once; as many as may be where it is left out. */
  readonly wanted?: number
}

const operations = ['leaves', 'leaves', 'timesheets']

/** Asks so long, in milliseconds of the model; gives the levels in the order in which they held, with the time of each. */
function levelsOf(api: Api, forMs: number, limit = new ConcurrencyLimit(32)): readonly Level[] {
  const levels: Level[] = [{ level: limit.level, ms: 0 }]
  const underWay: { readonly sent: Sent; readonly until: number }[] = []
  let asked = 0
  let now = 0
  while (now < forMs) {
    while (underWay.length < Math.min(limit.level, api.wanted ?? Infinity)) {
      const operation = operations[asked++ % operations.length]!
      const sent = limit.send(operation, now)
      underWay.push({ sent, until: now + api.ms(operation, underWay.length + 1, now) })
    }
    underWay.sort((one, other) => one.until - other.until)
    const { sent, until } = underWay.shift()!
    levels.at(-1)!.ms += until - now
    now = until
    limit.answer(sent, now)
    if (limit.level !== levels.at(-1)!.level) levels.push({ level: limit.level, ms: 0 })
  }
  return levels
}

interface Level {
  readonly level: number
  ms: number
}

/** For how long of the last part the level was that or more. */
function shareFrom(levels: readonly Level[], least: number): number {
  const all = levels.reduce((sum, { ms }) => sum + ms, 0)
  return levels.filter(({ level }) => level >= least).reduce((sum, { ms }) => sum + ms, 0) / all
}

it('the limit rises from eight to the maximum while answers are as fast as with few', () => {
  const levels = levelsOf({ ms: () => 200 }, 5000)
  expect(levels[0]?.level).toBe(8)
  expect(levels.at(-1)?.level).toBe(32)
  const [, fewAtOnce, ...risen] = levels.map(({ level }) => level)
  expect(fewAtOnce).toBe(4)
  expect(risen).toEqual(risen.toSorted((one, other) => one - other))
})

it('the limit is not lowered by an operation that is slower than another', () => {
  const levels = levelsOf({ ms: (operation) => (operation === 'leaves' ? 50 : 900) }, 20_000)
  expect(levels.at(-1)?.level).toBe(32)
})

it.for([20, 50, 100, 200])(
  'the limit stays near what an API carries that takes %i ms with ten and longer with more',
  (ms) => {
    const levels = levelsOf({ ms: (_, underWay) => ms * Math.max(1, underWay / 10) }, 120_000)
    const crowded = levels.filter(({ level }) => level > 14)
    expect(Math.max(0, ...crowded.map((level) => level.ms))).toBeLessThan(1000)
    expect(shareFrom(levels, 9)).toBeGreaterThan(0.5)
  },
)

it('the limit falls when answers become slow, and recovers if they are slow with few as well', () => {
  const slowAt = 10_000
  const levels = levelsOf({ ms: (_, _underWay, now) => (now < slowAt ? 100 : 250) }, 30_000)
  const after = levels.slice(levels.findIndex(({ level }) => level === 32) + 1)
  expect(after[0]?.level).toBe(4)
  expect(after.at(-1)?.level).toBe(32)
})

it('the limit adapts to an API that was always slow and is now fast, but slow with many', () => {
  const fastAt = 30_000
  const levels = levelsOf(
    { ms: (_, underWay, now) => (now < fastAt ? 400 : 100 * Math.max(1, underWay / 10)) },
    300_000,
  )
  expect(levels.some(({ level }) => level === 32)).toBe(true)
  expect(shareFrom(levels, 15)).toBeLessThan(0.4)
})

it('the limit does not rise while fewer requests are running than allowed', () => {
  expect(levelsOf({ ms: () => 20, wanted: 3 }, 60_000)).toHaveLength(1)
})

it('the limit is halved once by refusals of all running requests, and rises again', () => {
  const limit = new ConcurrencyLimit(32)
  levelsOf({ ms: () => 100 }, 5000, limit)
  const underWay = Array.from({ length: 32 }, () => limit.send('leaves', 6000))
  for (const sent of underWay) limit.refuse(sent)
  expect(limit.level).toBe(16)
  limit.refuse(limit.send('leaves', 6100))
  expect(limit.level).toBe(8)
  expect(levelsOf({ ms: () => 100 }, 20_000, limit).at(-1)?.level).toBe(32)
})

it('the limit stays between four, or a lower maximum, and the maximum, whatever happens', () => {
  const end = fc.record({
    operation: fc.constantFrom('leaves', 'users', 'timesheets'),
    ms: fc.nat(10_000),
    as: fc.constantFrom('answer', 'answer', 'answer', 'answer', 'refuse', 'drop'),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.array(end, { minLength: 100, maxLength: 600 }),
      (most, ends) => {
        const limit = new ConcurrencyLimit(most)
        const underWay: Sent[] = []
        for (const [number, { operation, ms, as }] of ends.entries()) {
          while (underWay.length < limit.level) underWay.push(limit.send(operation, number))
          const sent = underWay.shift()!
          const before = limit.level
          if (as === 'answer') limit.answer(sent, sent.at + ms)
          if (as === 'refuse') limit.refuse(sent)
          if (as === 'drop') limit.drop()
          expect(limit.level).toBeGreaterThanOrEqual(Math.min(4, most))
          expect(limit.level).toBeLessThanOrEqual(most)
          if (as === 'drop') expect(limit.level).toBe(before)
        }
      },
    ),
  )
})

it('the limit rises only with answers at most a quarter slower than with few', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 2000 }),
      fc.double({ min: 1.3, max: 20 }),
      (ms, times) => {
        const limit = new ConcurrencyLimit(32)
        const isCrowded = (underWay: number): boolean => underWay > 4
        const slow = (_: string, underWay: number): number =>
          isCrowded(underWay) ? ms * times + 3 : ms
        const levels = levelsOf({ ms: slow }, 200 * ms, limit)
        expect(Math.max(...levels.map(({ level }) => level))).toBeLessThanOrEqual(8)
      },
    ),
  )
})
