import { describe, expect, it } from 'vitest'

import { AppError, asAppError } from '../../src/domain/errors.ts'
import type { Log } from '../../src/domain/world.ts'
import { createGate, type Gate } from '../../src/transport/gate.ts'
import { createTestClient } from '../read-api/operations.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import {
  answer,
  answerJson,
  inTurn,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'
import { silentLog } from '../support/silent-log.ts'

const url = new URL('http://127.0.0.1/api/public/v1/leaves')
const down = new AppError('upstream_unavailable', 'GET /leaves answered 500.', { status: 500 })
const givenUp = new Error('given up')

describe('an API that fails is left alone', () => {
  it('for a second after twenty failures in a row', async () => {
    const { gate, clock } = start()
    await fail(gate, 19)
    expect(refusedForMs(gate)).toBe(0)
    await fail(gate, 1)
    expect(refusedForMs(gate)).toBe(1000)
    await clock.advance(999)
    expect(refusedForMs(gate)).toBe(1)
    await clock.advance(1)
    expect(refusedForMs(gate)).toBe(0)
  })

  it('no operation is begun while it is refused', async () => {
    const { gate } = start()
    await fail(gate, 20)
    const operation = (): never => {
      throw new Error('begun')
    }
    await expect(gate.pass(url, operation)).rejects.toMatchObject({ retryAfterMs: 1000 })
  })

  it('a success in between starts the count afresh', async () => {
    const { gate } = start()
    await fail(gate, 19)
    await gate.pass(url, async () => 'fine')
    await fail(gate, 19)
    expect(refusedForMs(gate)).toBe(0)
  })

  it('what says nothing about the API neither counts nor starts afresh', async () => {
    const { gate } = start()
    await fail(gate, 19)
    await expect(gate.pass(url, () => Promise.reject(givenUp))).rejects.toBe(givenUp)
    expect(refusedForMs(gate)).toBe(0)
    await fail(gate, 1)
    expect(refusedForMs(gate)).toBe(1000)
  })

  it('eight more failures in a row double the time, up to a minute', async () => {
    const { gate, clock, openings } = start()
    await fail(gate, 20)
    await [1, 2, 3, 4, 5, 6, 7].reduce(async (before) => {
      await before
      await clock.advance(refusedForMs(gate))
      await fail(gate, 8)
    }, Promise.resolve())
    expect(openings).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  it('a success afterwards lets all through again, whatever fails beside it', async () => {
    const { gate, clock } = start()
    await fail(gate, 20)
    await clock.advance(1000)
    await fail(gate, 7)
    expect(refusedForMs(gate)).toBe(0)
    await gate.pass(url, async () => 'fine')
    await fail(gate, 19)
    expect(refusedForMs(gate)).toBe(0)
    await fail(gate, 1)
    expect(refusedForMs(gate)).toBe(1000)
  })

  it('what was under way at that moment does not make the time longer', async () => {
    const { gate, openings } = start()
    await Promise.all(Array.from({ length: 50 }, () => fail(gate, 1)))
    expect(openings).toEqual([1000])
  })
})

it('a pause is never shortened, neither by a shorter one nor by failures', async () => {
  const { gate, clock } = start()
  gate.pause(5000)
  gate.pause(2000)
  expect(refusedForMs(gate)).toBe(5000)
  await clock.advance(5000)
  expect(refusedForMs(gate)).toBe(0)
  await fail(gate, 19)
  const last = gate.pass(url, () => Promise.reject(down))
  gate.pause(5000)
  await expect(last).rejects.toBe(down)
  expect(refusedForMs(gate)).toBe(5000)
})

it('a client that is refused sends nothing, and finds back by itself', async () => {
  const clock = createFakeClock()
  const failing = answer({ status: 500 })
  const back = answerJson({ data: [] })
  const failures = Array<typeof failing>(20).fill(failing)
  const server = await startMisbehavingServer(inTurn(...failures, back))
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

it.each([401, 404, 429])('a %i shows that the API works', async (status) => {
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

function start(): { gate: Gate; clock: FakeClock; openings: unknown[] } {
  const clock = createFakeClock()
  const openings: unknown[] = []
  const log: Log = {
    ...silentLog,
    warn: (data, event) => {
      if (event === 'upstream_circuit_opened') openings.push(...Object.values(data))
    },
  }
  return { gate: createGate({ clock, log }), clock, openings }
}

async function fail(gate: Gate, times: number): Promise<void> {
  if (times === 0) return
  await expect(gate.pass(url, () => Promise.reject(down))).rejects.toBe(down)
  await fail(gate, times - 1)
}

function refusedForMs(gate: Gate): number {
  try {
    gate.check(url)
    return 0
  } catch (error) {
    return asAppError(error)?.retryAfterMs ?? Number.NaN
  }
}
