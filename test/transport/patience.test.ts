import type { Socket } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import type { ReadApiClient } from '../../src/read-api/client.ts'
import { createTestClient, readOperations } from '../read-api/operations.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  inTurn,
  type MisbehavingServer,
  resetBeforeHeaders,
  resetInBody,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const now = Date.UTC(2026, 0, 5, 12)
const retryDate = 'Mon, 05 Jan 2026 12:00:30 GMT'
const empty = answerJson({ data: [] })
const lists = ['leaves', 'timesheets', 'tasks', 'schedules'] as const

interface Started {
  readonly client: ReadApiClient
  readonly clock: FakeClock
  readonly requests: MisbehavingServer['requests']
}

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

describe('Retry-After', () => {
  it.each(['30', retryDate])(
    'of 503 on timesheets (%s) pauses only the timesheets',
    async (retryAfter) => {
      const { client, clock, requests } = await start(
        onPath('/timesheets', busy(503, retryAfter), empty),
      )
      await expect(client.list('timesheets', {})).rejects.toMatchObject({
        code: 'upstream_unavailable',
        status: 503,
        retryAfterMs: 30_000,
      })
      expect(await refusedMs(client)).toEqual([0, 30_000, 0, 0])
      await clock.advance(29_999)
      expect(await refusedMs(client)).toEqual([0, 1, 0, 0])
      expect(timesheetsIn(requests)).toBe(1)
      await clock.advance(1)
      await expect(client.list('timesheets', {})).rejects.toMatchObject({ status: 503 })
      expect(timesheetsIn(requests)).toBe(2)
    },
  )

  it.each(['30', retryDate])('of 429 (%s) pauses everything', async (retryAfter) => {
    const { client, clock, requests } = await start(inTurn(busy(429, retryAfter), empty))
    await expect(client.list('timesheets', {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      status: 429,
      retryAfterMs: 30_000,
    })
    await clock.advance(29_999)
    expect(await refusedMs(client)).toEqual([1, 1, 1, 1])
    expect(requests).toHaveLength(1)
    await clock.advance(1)
    expect(await refusedMs(client)).toEqual([0, 0, 0, 0])
  })
})

it.each([undefined, 'soon'])(
  '429 with Retry-After %s pauses for one minute, longer each time',
  async (retryAfter) => {
    const tooMany = busy(429, retryAfter)
    const { client, clock, requests } = await start(inTurn(tooMany, tooMany, empty, tooMany))
    await expect(client.list('leaves', {})).rejects.toMatchObject({ retryAfterMs: 60_000 })
    expect(await refusedMs(client)).toEqual([60_000, 60_000, 60_000, 60_000])
    await clock.advance(60_000)
    await expect(client.list('leaves', {})).rejects.toMatchObject({ retryAfterMs: 120_000 })
    await clock.advance(120_000)
    await expect(client.list('leaves', {})).resolves.toMatchObject({ records: [] })
    await expect(client.list('leaves', {})).rejects.toMatchObject({ retryAfterMs: 60_000 })
    expect(requests).toHaveLength(4)
  },
)

it('waiting requests are no longer sent once everything is paused', async () => {
  const { client, requests } = await start(busy(429, '30'), 1)
  const asked = Array.from({ length: 5 }, () => client.list('leaves', {}))
  const leaves = await Promise.allSettled(asked)
  expect(leaves.every(({ status }) => status === 'rejected')).toBe(true)
  expect(requests).toHaveLength(1)
})

describe('a kept connection that is lost before any byte of the answer', () => {
  it.each(Object.entries(readOperations))('%s is repeated immediately', async (_, operation) => {
    const { client, requests } = await start(lostAt(2, resetBeforeHeaders), 1)
    await operation(client)
    await expect(operation(client)).resolves.toBeDefined()
    expect(requests).toHaveLength(3)
  })

  it('a request is repeated only once', async () => {
    const { client, requests } = await start(lostFrom(2), 1)
    await client.list('leaves', {})
    await expect(client.list('leaves', {})).rejects.toThrow('lost its connection')
    expect(requests).toHaveLength(3)
    await expect(client.list('leaves', {})).rejects.toThrow('lost its connection')
    expect(requests).toHaveLength(4)
  })

  it('a request is repeated only if the last attempt of its operation succeeded', async () => {
    const failing = answer({ status: 500 })
    const { client, requests } = await start(inTurn(empty, failing, resetBeforeHeaders), 1)
    await client.list('tasks', { project: 'prj_1' })
    await expect(client.list('leaves', {})).rejects.toMatchObject({ status: 500 })
    await expect(client.list('leaves', {})).rejects.toThrow('lost its connection')
    expect(requests).toHaveLength(3)
  })

  it('a request is not repeated on a new connection after a failure or once its answer has begun', async () => {
    const { client, requests } = await start(
      inTurn(resetBeforeHeaders, empty, resetInBody, empty),
      1,
    )
    await expect(client.list('leaves', {})).rejects.toThrow('lost its connection')
    await client.list('leaves', {})
    await expect(client.list('leaves', {})).rejects.toThrow('lost its connection')
    expect(requests).toHaveLength(3)
  })
})

it('the time of the last readable answer to another operation is remembered', async () => {
  const unreadable = answer({ body: '{' })
  const { client, clock } = await start(onPath('/schedules', unreadable, empty))
  expect(client.lastAnswerBut('user')).toBeNull()
  await client.list('leaves', {})
  await clock.advance(1000)
  await client.list('tasks', { project: 'prj_1' })
  await clock.advance(1000)
  await expect(client.list('schedules', {})).rejects.toThrow('not JSON')
  expect(client.lastAnswerBut('user')).toBe(now + 1000)
  expect(client.lastAnswerBut('tasks')).toBe(now)
  await clock.advance(-3 * 86_400_000)
  expect(client.lastAnswerBut('user')).toBeNull()
})

async function start(behave: Behaviour, concurrency = 4): Promise<Started> {
  const clock = createFakeClock(now)
  const server = await startMisbehavingServer(behave)
  const client = createTestClient(server.url, { concurrency }, { clock })
  ends.push(
    () => client.close(),
    () => server.close(),
  )
  return { client, clock, requests: server.requests }
}

/** For how long each list is left alone; none that is not is asked for more than once. */
async function refusedMs(client: ReadApiClient): Promise<readonly number[]> {
  const asked = lists.map((kind) =>
    kind === 'tasks' ? client.list(kind, { project: 'prj_1' }) : client.list(kind, {}),
  )
  const settled = await Promise.allSettled(asked)
  return settled.map((each) => (each.status === 'rejected' ? each.reason.retryAfterMs : 0))
}

function timesheetsIn(requests: Started['requests']): number {
  return requests.filter(({ path }) => path.includes('/timesheets')).length
}

function busy(status: number, retryAfter: string | undefined): Behaviour {
  return answer({ status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
}

function onPath(part: string, there: Behaviour, elsewhere: Behaviour): Behaviour {
  return (socket, request) =>
    request.path.includes(part) ? there(socket, request) : elsewhere(socket, request)
}

/** Answers every request, but that one by losing its connection. */
function lostAt(count: number, lose: (socket: Socket, ...rest: never[]) => void): Behaviour {
  let seen = 0
  return (socket, request) => {
    seen += 1
    if (seen === count) return lose(socket)
    const id = request.path.split('/').at(-1)
    const isSingle = /\/(?:users|invoices)\//.test(request.path)
    answerJson({ data: isSingle ? { id } : [] })(socket, request)
  }
}

function lostFrom(count: number): Behaviour {
  let seen = 0
  return (socket, request) => {
    seen += 1
    const behave = seen < count ? empty : resetBeforeHeaders
    behave(socket, request)
  }
}
