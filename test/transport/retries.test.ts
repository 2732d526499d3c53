import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'

import type { Clock } from '../../src/domain/world.ts'
import type { HttpAnswer } from '../../src/transport/http.ts'
import { askedWaitMs, backoffMs, waitMsMax } from '../../src/transport/retries.ts'
import { createTestClient } from '../read-api/operations.ts'
import { createFakeClock, createSkippingClock } from '../support/fake-clock.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  inTurn,
  type MisbehavingServer,
  resetBeforeHeaders,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'

const now = Date.UTC(2026, 0, 5, 12)
const empty = answerJson({ data: [] })

let server: MisbehavingServer | undefined
afterEach(() => server?.close())

it.each([
  ['0', 0],
  ['120', 120_000],
  ['3600', 3_600_000],
  ['3601', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['Mon, 05 Jan 2026 12:00:30 GMT', 30_000],
  ['Monday, 05-Jan-26 12:00:30 GMT', 30_000],
  ['Mon, 05 Jan 2026 11:59:00 GMT', 0],
  ['Thu, 01 Jan 2099 00:00:00 GMT', 3_600_000],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Mon, 05 Jan 2026 12:00:30', undefined],
  ['', undefined],
])('a 429 and a 503 ask to be left alone by Retry-After: %s', (value, ms) => {
  expect(askedWaitMs(answerOf(429, value), now)).toBe(ms)
  expect(askedWaitMs(answerOf(503, value), now)).toBe(ms)
  expect(askedWaitMs(answerOf(502, value), now)).toBeUndefined()
})

it('a wait has full jitter and a limit', () => {
  expect(backoffMs(1, () => 0.5)).toBe(250)
  expect(backoffMs(2, () => 0.5)).toBe(500)
  expect(backoffMs(1, () => 0)).toBe(0)
  const parts = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), parts, (attempt, part) => {
      const ms = backoffMs(attempt, () => part)
      expect(ms).toBeGreaterThanOrEqual(0)
      expect(ms).toBeLessThan(waitMsMax)
    }),
  )
})

describe('what passes is tried again', () => {
  it.each([
    ['a lost connection', resetBeforeHeaders],
    ['502', answer({ status: 502 })],
    ['503', answer({ status: 503 })],
    ['504', answer({ status: 504 })],
    ['429', answer({ status: 429 })],
  ])('%s', async (_name, fault) => {
    const { requests, ...client } = await start(inTurn(fault, fault, empty))
    await expect(client.list('leaves', {})).resolves.toMatchObject({ records: [] })
    expect(requests).toHaveLength(3)
    await client.close()
  })
})

it('a short Retry-After is waited for, and no more than that', async () => {
  const clock = createFakeClock(now)
  const busy = answer({ status: 429, headers: { 'retry-after': '2' } })
  const { requests, ...client } = await start(inTurn(busy, empty), clock)
  const leaves = client.list('leaves', {})
  await clock.sleepers(1)
  await clock.advance(1_999)
  expect(requests).toHaveLength(1)
  await clock.advance(1)
  await expect(leaves).resolves.toMatchObject({ records: [] })
  await client.close()
})

describe('a long Retry-After fails at once, and nothing is sent until then', () => {
  it.each([
    [429, '30'],
    [503, '30'],
    [429, 'Mon, 05 Jan 2026 12:00:30 GMT'],
    [503, 'Mon, 05 Jan 2026 12:00:30 GMT'],
  ])('%i %s', async (status, retryAfter) => {
    const clock = createFakeClock(now)
    const busy = answer({ status, headers: { 'retry-after': retryAfter } })
    const { requests, ...client } = await start(inTurn(busy, empty), clock)
    await expect(client.list('leaves', {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      status,
      retryAfterMs: 30_000,
    })
    await clock.advance(29_999)
    await expect(client.get('user', 'usr_1')).rejects.toMatchObject({
      code: 'upstream_unavailable',
      status: undefined,
      retryAfterMs: 1,
    })
    expect(requests).toHaveLength(1)
    await clock.advance(1)
    await expect(client.list('leaves', {})).resolves.toMatchObject({ records: [] })
    await client.close()
  })

  it('those who wait for a place neither', async () => {
    const clock = createFakeClock(now)
    const busy = answer({ status: 429, headers: { 'retry-after': '30' } })
    const { requests, ...client } = await start(busy, clock, 1)
    const leaves = await Promise.allSettled(
      Array.from({ length: 5 }, () => client.list('leaves', {})),
    )
    expect(leaves.every(({ status }) => status === 'rejected')).toBe(true)
    expect(requests).toHaveLength(1)
    await client.close()
  })
})

it('a caller who gives up ends a wait', async () => {
  const clock = createFakeClock(now)
  const abort = new AbortController()
  const { requests, ...client } = await start(answer({ status: 503 }), clock)
  const leaves = client.list('leaves', {}, abort.signal)
  await clock.sleepers(1)
  abort.abort(new Error('given up'))
  await expect(leaves).rejects.toThrow('given up')
  expect(requests).toHaveLength(1)
  await client.close()
})

function answerOf(status: number, retryAfter: string): HttpAnswer {
  return { status, headers: { 'retry-after': retryAfter }, body: Buffer.alloc(0) }
}

async function start(
  behave: Behaviour,
  clock: Clock = createSkippingClock(now),
  concurrency = 4,
): Promise<ReturnType<typeof createTestClient> & Pick<MisbehavingServer, 'requests'>> {
  server = await startMisbehavingServer(behave)
  const client = createTestClient(server.url, { concurrency }, { clock, random: () => 0 })
  return { ...client, requests: server.requests }
}
