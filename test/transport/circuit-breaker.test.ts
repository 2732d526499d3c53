import { describe, expect, test } from 'vitest'

import { asAppError } from '../../src/domain/errors.ts'
import { type CircuitBreaker, createCircuitBreaker } from '../../src/transport/circuit-breaker.ts'
import { createTestClient } from '../read-api/operations.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import {
  answer,
  answerJson,
  inTurn,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'

const DOWN = new Error('down')
const GIVEN_UP = new Error('given up')

describe('the breaker', () => {
  test('opens after twenty failures in a row, for a second', async () => {
    const { breaker, clock } = start()
    await fail(breaker, 19)
    expect(breaker.refusedForMs()).toBe(0)
    await fail(breaker, 1)
    expect(breaker.refusedForMs()).toBe(1000)
    await clock.advance(999)
    expect(breaker.refusedForMs()).toBe(1)
    await clock.advance(1)
    expect(breaker.refusedForMs()).toBe(0)
  })

  test('a success in between starts the count afresh', async () => {
    const { breaker } = start()
    await fail(breaker, 19)
    await breaker.run(async () => 'fine')
    await fail(breaker, 19)
    expect(breaker.refusedForMs()).toBe(0)
  })

  test('what says nothing about the API neither counts nor starts afresh', async () => {
    const { breaker } = start()
    await fail(breaker, 19)
    await expect(breaker.run(() => Promise.reject(GIVEN_UP))).rejects.toBe(GIVEN_UP)
    expect(breaker.refusedForMs()).toBe(0)
    await fail(breaker, 1)
    expect(breaker.refusedForMs()).toBe(1000)
  })

  test('eight more failures in a row open it for twice as long, up to a minute', async () => {
    const { breaker, clock, openings } = start()
    await fail(breaker, 20)
    await [1, 2, 3, 4, 5, 6, 7].reduce(async (before) => {
      await before
      await clock.advance(breaker.refusedForMs())
      await fail(breaker, 8)
    }, Promise.resolve())
    expect(openings).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  test('a success after it was open closes it, whatever fails beside it', async () => {
    const { breaker, clock } = start()
    await fail(breaker, 20)
    await clock.advance(1000)
    await fail(breaker, 7)
    expect(breaker.refusedForMs()).toBe(0)
    await breaker.run(async () => 'fine')
    await fail(breaker, 19)
    expect(breaker.refusedForMs()).toBe(0)
    await fail(breaker, 1)
    expect(breaker.refusedForMs()).toBe(1000)
  })

  test('what was under way when it opened does not open it further', async () => {
    const { breaker, openings } = start()
    await Promise.all(Array.from({ length: 50 }, () => fail(breaker, 1)))
    expect(openings).toEqual([1000])
  })
})

test('a client that is refused sends nothing, and finds back by itself', async () => {
  const clock = createFakeClock()
  const down = answer({ status: 500 })
  const back = answerJson({ data: [] })
  const server = await startMisbehavingServer(inTurn(...Array<typeof down>(20).fill(down), back))
  const client = createTestClient(server.url, {}, { clock })
  const first = await Promise.allSettled(
    Array.from({ length: 20 }, () => client.list('leaves', {})),
  )
  expect(first.map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
  await expect(client.list('leaves', {})).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message:
      'GET /api/public/v1/leaves was not sent: after what it answered before, the API is left alone for another 1 s.',
    retryAfterMs: 1000,
    status: undefined,
  })
  expect(server.requests).toHaveLength(20)
  await clock.advance(1000)
  await expect(client.list('leaves', {})).resolves.toMatchObject({ records: [] })
  await client.close()
  await server.close()
})

test.each([401, 404, 429])('a %i shows that the API works', async (status) => {
  const server = await startMisbehavingServer(answer({ status, headers: { 'retry-after': '0' } }))
  const client = createTestClient(server.url)
  const answers = await Promise.allSettled(
    Array.from({ length: 25 }, () => client.list('leaves', {})),
  )
  const reasons = answers.map((each) => (each.status === 'rejected' ? each.reason : undefined))
  expect(reasons.map((reason) => asAppError(reason)?.status)).toEqual(Array(25).fill(status))
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
