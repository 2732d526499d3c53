import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createRequestQueue } from '../../src/transport/request-queue.ts'

const patient = new AbortController().signal

test('first come, first served, and no more at once than there are places', async () => {
  const queue = createRequestQueue(2)
  const begun: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>())
  const runs = ends.map(({ promise }, index) =>
    queue.run(async () => {
      begun.push(index)
      await promise
    }, patient),
  )
  await turn()
  expect(begun).toEqual([0, 1])
  ends[1]?.resolve(undefined)
  await runs[1]
  await turn()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve(undefined)
  await Promise.all(runs)
  expect(begun).toEqual([0, 1, 2, 3])
})

test('no place is lost, whoever fails or gives up and when', async () => {
  const steps = fc.array(fc.constantFrom('done', 'failed', 'abort', 'abort and free'), {
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (outcomes, places) => {
      const queue = createRequestQueue(places)
      await Promise.allSettled(outcomes.map((outcome) => runAs(outcome, queue)))
      let running = 0
      let most = 0
      const run = async (): Promise<void> => {
        running += 1
        most = Math.max(most, running)
        await turn()
        running -= 1
      }
      await Promise.all(Array.from({ length: 6 }, () => queue.run(run, patient)))
      expect(most).toBe(places)
    }),
  )
})

function runAs(outcome: string, queue: ReturnType<typeof createRequestQueue>): Promise<unknown> {
  const abort = new AbortController()
  const run = queue.run(async () => {
    await turn()
    if (outcome === 'failed') throw new Error('failed')
  }, abort.signal)
  if (outcome === 'abort') abort.abort()
  if (outcome === 'abort and free') setImmediate(() => abort.abort())
  return run
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
