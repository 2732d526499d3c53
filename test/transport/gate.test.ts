import { describe, expect, it } from 'vitest'

import { AppError, asAppError } from '../../src/domain/errors.ts'
import type { Log } from '../../src/domain/world.ts'
import { Gate } from '../../src/transport/gate.ts'
import { createTestClient } from '../read-api/operations.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import {
  answer,
  answerJson,
  inTurn,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const leaves = { operation: 'leaves', url: new URL('http://127.0.0.1/api/public/v1/leaves') }
const tasks = { operation: 'tasks', url: new URL('http://127.0.0.1/api/public/v1/tasks') }
const down = new AppError('upstream_unavailable', 'GET /leaves answered 500.', { status: 500 })
const givenUp = new Error('given up')

describe('a failing API is left alone', () => {
  it('for one second after twenty failures in a row', async () => {
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

  it('no operation is started during a pause', async () => {
    const { gate } = start()
    await fail(gate, 20)
    const operation = (): never => {
      throw new Error('begun')
    }
    await expect(gate.pass(leaves, operation)).rejects.toMatchObject({ retryAfterMs: 1000 })
  })

  it('a success in between resets the count', async () => {
    const { gate } = start()
    await fail(gate, 19)
    await gate.pass(leaves, async () => 'fine')
    await fail(gate, 19)
    expect(refusedForMs(gate)).toBe(0)
  })

  it('an outcome unrelated to the API neither counts nor resets the count', async () => {
    const { gate } = start()
    await fail(gate, 19)
    await expect(gate.pass(leaves, () => Promise.reject(givenUp))).rejects.toBe(givenUp)
    expect(refusedForMs(gate)).toBe(0)
    await fail(gate, 1)
    expect(refusedForMs(gate)).toBe(1000)
  })

  it('eight more failures in a row double the pause, up to a minute', async () => {
    const { gate, clock, openings } = start()
    await fail(gate, 20)
    await [1, 2, 3, 4, 5, 6, 7].reduce(async (before) => {
      await before
      await clock.advance(refusedForMs(gate))
      await fail(gate, 8)
    }, Promise.resolve())
    expect(openings).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  it('a later success lets all requests through again, whatever else fails', async () => {
    const { gate, clock } = start()
    await fail(gate, 20)
    await clock.advance(1000)
    await fail(gate, 7)
    expect(refusedForMs(gate)).toBe(0)
    await gate.pass(leaves, async () => 'fine')
    await fail(gate, 19)
    expect(refusedForMs(gate)).toBe(0)
    await fail(gate, 1)
    expect(refusedForMs(gate)).toBe(1000)
  })

  it('requests already running at that moment do not lengthen the pause', async () => {
    const { gate, openings } = start()
    await Promise.all(Array.from({ length: 50 }, () => fail(gate, 1)))
    expect(openings).toEqual([1000])
  })
})

it('a failing operation does not affect the others', async () => {
  const { gate } = start()
  await fail(gate, 20)
  expect(refusedForMs(gate, leaves)).toBe(1000)
  expect(refusedForMs(gate, tasks)).toBe(0)
})

it('a pause of one operation does not affect the others, a pause of all does', async () => {
  const { gate, clock } = start()
  gate.pause('leaves', 5000)
  expect([refusedForMs(gate, leaves), refusedForMs(gate, tasks)]).toEqual([5000, 0])
  expect(gate.pauseAll(2000)).toBe(2000)
  expect([refusedForMs(gate, leaves), refusedForMs(gate, tasks)]).toEqual([5000, 2000])
  await clock.advance(2000)
  expect([refusedForMs(gate, leaves), refusedForMs(gate, tasks)]).toEqual([3000, 0])
})

it('a pause is never shortened by a shorter one or by failures', async () => {
  const { gate, clock } = start()
  gate.pause('leaves', 5000)
  gate.pause('leaves', 2000)
  gate.pauseAll(1000)
  expect(refusedForMs(gate)).toBe(5000)
  await clock.advance(5000)
  expect(refusedForMs(gate)).toBe(0)
  await fail(gate, 19)
  const last = gate.pass(leaves, () => Promise.reject(down))
  gate.pause('leaves', 5000)
  await expect(last).rejects.toBe(down)
  expect(refusedForMs(gate)).toBe(5000)
})

describe('a 429 without a time to wait', () => {
  it('pauses for a minute, then twice as long each time, up to an hour', async () => {
    const { gate, clock } = start()
    const minutes: number[] = []
    await [1, 2, 3, 4, 5, 6, 7, 8].reduce(async (before) => {
      await before
      minutes.push(gate.pauseAll(undefined) / 60_000)
      await clock.advance(refusedForMs(gate))
    }, Promise.resolve())
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  it('counts once for all requests already running', async () => {
    const { gate, clock } = start()
    gate.pauseAll(undefined)
    await clock.advance(10_000)
    expect(gate.pauseAll(undefined)).toBe(50_000)
    expect(refusedForMs(gate)).toBe(50_000)
    await clock.advance(50_000)
    expect(gate.pauseAll(undefined)).toBe(120_000)
  })

  it('starts again at one minute after a success', async () => {
    const { gate, clock } = start()
    gate.pauseAll(undefined)
    await clock.advance(60_000)
    await gate.pass(tasks, async () => 'fine')
    expect(gate.pauseAll(undefined)).toBe(60_000)
  })
})

it.each([
  ['of all', async (gate: Gate) => gate.pauseAll(60_000)],
  ['of one operation', async (gate: Gate) => gate.pause('leaves', 60_000)],
  ['after failures', (gate: Gate) => fail(gate, 20)],
])('a pause %s ends if the clock goes back to before its start', async (_name, pause) => {
  const { gate, clock } = start()
  await pause(gate)
  expect(refusedForMs(gate)).toBeGreaterThan(0)
  await clock.advance(-3 * 86_400_000)
  expect(refusedForMs(gate)).toBe(0)
  gate.pause('leaves', 5000)
  expect(refusedForMs(gate)).toBe(5000)
})

it('a refused client sends nothing and recovers by itself', async () => {
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
    debug: (data, event) => {
      if (event === 'upstream_circuit_opened' && 'openForMs' in data) openings.push(data.openForMs)
    },
  }
  return { gate: new Gate({ clock, log }), clock, openings }
}

async function fail(gate: Gate, times: number): Promise<void> {
  if (times === 0) return
  await expect(gate.pass(leaves, () => Promise.reject(down))).rejects.toBe(down)
  await fail(gate, times - 1)
}

function refusedForMs(gate: Gate, errand = leaves): number {
  try {
    gate.check(errand)
    return 0
  } catch (error) {
    return asAppError(error)?.retryAfterMs ?? Number.NaN
  }
}
