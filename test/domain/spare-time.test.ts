import { expect, it } from 'vitest'

import { SpareTime } from '../../src/domain/world.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'

const { signal } = new AbortController()

it('tasks run one at a time, in order, with a rest of four times as long after each', async () => {
  const clock = createFakeClock()
  const spare = new SpareTime(clock)
  const begun: [string, number][] = []
  const start = clock.now()
  const workFor =
    (name: string, ms: number): (() => Promise<string>) =>
    async () => {
      begun.push([name, clock.now() - start])
      await clock.sleep(ms)
      return name
    }
  const first = spare.use(workFor('first', 100), signal)
  const second = spare.use(workFor('second', 60_000), signal)
  const third = spare.use(workFor('third', 0), signal)
  await clock.advance(0)
  for (let times = 0; times < 1000; times += 1) await clock.advance(100)
  expect(await Promise.all([first, second, third])).toEqual(['first', 'second', 'third'])
  expect(begun).toEqual([
    ['first', 0],
    ['second', 500],
    ['third', 70_500],
  ])
})

it('a failed task or an aborted wait does not stop later tasks', async () => {
  const spare = new SpareTime(createFakeClock())
  const ending = new AbortController()
  const held = Promise.withResolvers<never>()
  const first = spare.use(() => held.promise, signal)
  const second = spare.use(() => Promise.resolve('second'), ending.signal)
  const third = spare.use(() => Promise.resolve('third'), signal)
  ending.abort(new Error('enough'))
  await expect(second).rejects.toThrow('enough')
  held.reject(new Error('failed'))
  await expect(first).rejects.toThrow('failed')
  expect(await third).toBe('third')
})
