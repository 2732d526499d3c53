import { describe, expect, test } from 'vitest'

import { type CircuitBreaker, createCircuitBreaker } from '../../src/upstream/circuit-breaker.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import {
  answer,
  answerJson,
  inTurn,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'
import { createTestClient } from './operations.ts'

const DOWN = new Error('down')
const GIVEN_UP = new Error('given up')

describe('the breaker', () => {
  test('opens after five failures in a row, for 10 seconds', async () => {
    const { breaker, clock } = start()
    await fail(breaker, 4)
    expect(breaker.refusedForMs()).toBe(0)
    await fail(breaker, 1)
    expect(breaker.refusedForMs()).toBe(10_000)
    await clock.advance(9_999)
    expect(breaker.refusedForMs()).toBe(1)
    await clock.advance(1)
    expect(breaker.refusedForMs()).toBe(0)
  })

  test('a success in between starts the count afresh', async () => {
    const { breaker } = start()
    await fail(breaker, 4)
    await breaker.run(async () => 'fine')
    await fail(breaker, 4)
    expect(breaker.refusedForMs()).toBe(0)
  })

  test('what says nothing about the API neither counts nor starts afresh', async () => {
    const { breaker } = start()
    await fail(breaker, 4)
    await expect(breaker.run(() => Promise.reject(GIVEN_UP))).rejects.toBe(GIVEN_UP)
    expect(breaker.refusedForMs()).toBe(0)
    await fail(breaker, 1)
    expect(breaker.refusedForMs()).toBe(10_000)
  })

  test('each failure of the one that is let through opens it for twice as long, up to five minutes', async () => {
    const { breaker, clock, openings } = start()
    await fail(breaker, 5)
    await [1, 2, 3, 4, 5, 6].reduce(async (before) => {
      await before
      await clock.advance(breaker.refusedForMs())
      await fail(breaker, 1)
    }, Promise.resolve())
    expect(openings).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  })

  test('lets one through at a time, whose success closes it', async () => {
    const { breaker, clock } = start()
    await fail(breaker, 5)
    await clock.advance(10_000)
    const probe = Promise.withResolvers<string>()
    const run = breaker.run(() => probe.promise)
    expect(breaker.refusedForMs()).toBe(1_000)
    probe.resolve('fine')
    await run
    await fail(breaker, 4)
    expect(breaker.refusedForMs()).toBe(0)
    await fail(breaker, 1)
    expect(breaker.refusedForMs()).toBe(10_000)
  })

  test('one that is given up lets the next one through', async () => {
    const { breaker, clock } = start()
    await fail(breaker, 5)
    await clock.advance(10_000)
    await expect(breaker.run(() => Promise.reject(GIVEN_UP))).rejects.toBe(GIVEN_UP)
    expect(breaker.refusedForMs()).toBe(0)
  })

  test('what was under way when it opened does not open it further', async () => {
    const { breaker, openings } = start()
    await Promise.all(Array.from({ length: 50 }, () => fail(breaker, 1)))
    expect(openings).toEqual([10_000])
  })
})

test('a client that is refused sends nothing, and finds back by itself', async () => {
  const clock = createFakeClock()
  const down = answer({ status: 500 })
  const back = answerJson({ data: [] })
  const server = await startMisbehavingServer(inTurn(down, down, down, down, down, back))
  const client = createTestClient(server.url, {}, { clock })
  const first = await Promise.allSettled(Array.from({ length: 5 }, () => client.listLeaves({})))
  expect(first.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  await expect(client.listLeaves({})).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message:
      'GET /api/public/v1/leaves was not sent: after what it answered before, the API is left alone for another 10 s.',
    retryAfterMs: 10_000,
    status: undefined,
  })
  expect(server.requests).toHaveLength(5)
  await clock.advance(10_000)
  await expect(client.listLeaves({})).resolves.toMatchObject({ records: [] })
  await client.close()
  await server.close()
})

test.each([401, 404, 429])('a %i shows that the API works', async (status) => {
  const server = await startMisbehavingServer(answer({ status, headers: { 'retry-after': '0' } }))
  const client = createTestClient(server.url)
  const errors = await Promise.allSettled(Array.from({ length: 8 }, () => client.listLeaves({})))
  expect(errors).toEqual(
    Array(8).fill({ status: 'rejected', reason: expect.objectContaining({ status }) }),
  )
  await client.close()
  await server.close()
})

function start(): { breaker: CircuitBreaker; clock: FakeClock; openings: number[] } {
  const clock = createFakeClock()
  const openings: number[] = []
  const breaker = createCircuitBreaker({
    clock,
    healthOf: (error) => (error === DOWN ? 'failing' : 'unknown'),
    onOpen: (openForMs) => openings.push(openForMs),
  })
  return { breaker, clock, openings }
}

async function fail(breaker: CircuitBreaker, times: number): Promise<void> {
  if (times === 0) return
  await expect(breaker.run(() => Promise.reject(DOWN))).rejects.toBe(DOWN)
  await fail(breaker, times - 1)
}
