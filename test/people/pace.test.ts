import { expect, it } from 'vitest'

import { Pace } from '../../src/people/people-directory.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'

it('turns are given in the order of requests, with a minimum distance, until the pace is closed', async () => {
  const clock = createFakeClock()
  const pace = new Pace(50, clock)
  const ending = new AbortController()
  const turns: [number, number][] = []
  const start = clock.now()
  const waiting = [0, 1, 2, 3, 4].map(async (name) => {
    await pace.turn(ending.signal)
    turns.push([name, clock.now() - start])
  })
  await clock.advance(0)
  for (let times = 0; times < 10; times += 1) await clock.advance(10)
  expect(turns).toEqual([
    [0, 0],
    [1, 50],
    [2, 100],
  ])
  ending.abort(new Error('closing'))
  await Promise.all(waiting)
})
