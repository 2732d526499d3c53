import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createFakeClock, type FakeClock } from '../../support/bridge/fake-clock.ts'
import { createSqliteDatabase } from '../../support/database/databases.ts'
import { smallCompany } from '../company.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox-server.ts'

let sandbox: SandboxServer
let clock: FakeClock
let chance: number
let changes: (string | undefined)[]

beforeEach(async () => {
  clock = createFakeClock()
  chance = 0.5
  changes = []
  const random = (): number => chance
  const changed = (companyId?: string): number => changes.push(companyId)
  sandbox = await startSandboxServer(createSqliteDatabase(), [], { clock, random, changed })
  await sandbox.load(smallCompany)
})
afterEach(() => sandbox.close())

async function behave(behaviour: unknown): Promise<void> {
  const told = await sandbox.control('PUT', '/behaviour', behaviour)
  expect(told).toMatchObject({ status: 200, body: { data: behaviour } })
}

it('the sandbox imitates nothing at first, and an empty behaviour ends the imitation', async () => {
  expect((await sandbox.control('GET', '/behaviour')).body).toEqual({ data: {} })
  await behave({ filters: { leaves: 'ignored' } })
  expect((await sandbox.read('/leaves?userId=usr_1')).body).toHaveProperty('data.length', 6)
  await behave({})
  expect((await sandbox.read('/leaves?userId=usr_1')).body).toHaveProperty('data.length', 4)
  expect(changes).toEqual([undefined, undefined])
})

it('another behaviour changes the ETag', async () => {
  const before = await sandbox.read('/leaves')
  await behave({ filters: { leaves: 'ignored' } })
  const tag = before.headers.get('ETag') ?? ''
  const after = await sandbox.read('/leaves', undefined, { 'If-None-Match': tag })
  expect(after.status).toBe(200)
})

describe('faults', () => {
  it('at rate 1 every request fails, of that operation only', async () => {
    await behave({ faults: [{ operation: 'listLeaves', status: 503, rate: 1, retryAfter: 7 }] })
    chance = 0.999_999
    const told = await sandbox.read('/leaves')
    expect(told).toMatchObject({ status: 503, body: { status: 503, type: 'about:blank' } })
    expect(told.headers.get('Retry-After')).toBe('7')
    expect(told.headers.get('Content-Type')).toContain('application/problem+json')
    expect((await sandbox.read('/timesheets')).status).toBe(200)
  })

  it('a fault with a lower rate occurs by chance, and with rate 0 never', async () => {
    await behave({
      faults: [
        { operation: 'listLeaves', status: 429, rate: 0.5 },
        { operation: 'getUser', status: 500, rate: 0 },
      ],
    })
    chance = 0.49
    expect((await sandbox.read('/leaves')).status).toBe(429)
    chance = 0.5
    expect((await sandbox.read('/leaves')).status).toBe(200)
    chance = 0
    expect((await sandbox.read('/users/usr_1')).status).toBe(200)
  })
})

describe('latency', () => {
  it('a delayed answer reports its duration', async () => {
    await behave({ latencyMs: 5000 })
    const asked = sandbox.read('/leaves')
    await clock.sleepers(1)
    await clock.advance(5000)
    expect((await asked).status).toBe(200)
    const { body } = await sandbox.control('GET', '/requests?limit=1')
    expect(body).toMatchObject({ data: [{ operation: 'listLeaves', durationMs: 5000 }] })
  })

  it('a delay ends when the client disconnects', async () => {
    await behave({ latencyMs: 60_000 })
    const over = new AbortController()
    const asked = fetch(sandbox.address('/leaves'), { signal: over.signal }).catch(() => 'gone')
    await clock.sleepers(1)
    over.abort()
    expect(await asked).toBe('gone')
    await expect
      .poll(async () => (await sandbox.control('GET', '/requests')).body)
      .toMatchObject({ data: [{ status: null, durationMs: 0 }] })
  })

  it('a delay ends when the sandbox is closed', async () => {
    await behave({ latencyMs: 60_000 })
    const asked = sandbox.read('/leaves').catch(() => 'closed')
    await clock.sleepers(1)
    await sandbox.close()
    expect(await asked).toBeDefined()
    sandbox = await startSandboxServer(createSqliteDatabase())
  })
})

describe('behaviour written like the settings', () => {
  it('parameters: the usual name of a renamed one is unknown', async () => {
    await behave({ parameters: { leaves: { employee: 'who' } } })
    expect((await sandbox.read('/leaves?who=usr_1')).body).toHaveProperty('data.length', 4)
    const { status, body } = await sandbox.read('/leaves?userId=usr_1')
    expect([status, body]).toMatchObject([400, { detail: expect.stringContaining('who') }])
    await behave({ parameters: '{"leaves":{"employee":"person"}}' })
    expect((await sandbox.read('/leaves?person=usr_1')).status).toBe(200)
  })

  it.each([
    ['page:page,size,2', '/leaves?page=3&size=2', 2],
    ['page:page,size,2,0', '/leaves?page=0', 2],
    ['offset:from,count,4', '/leaves?from=4', 2],
    [{ leaves: 'offset:from,count,5', '*': 'none' }, '/leaves', 5],
    ['none', '/leaves', 6],
  ])('pagination %o: %s', async (pagination, path, count) => {
    await behave({ pagination })
    expect((await sandbox.read(path)).body).toHaveProperty('data.length', count)
  })

  it('pagination by links uses the page size', async () => {
    await behave({ pagination: 'link', pageSize: 4 })
    const first = await sandbox.read('/leaves?userId=usr_1&status=APPROVED')
    expect(first.headers.has('Link')).toBe(false)
    const all = await sandbox.read('/leaves')
    expect(all.body).toHaveProperty('data.length', 4)
    const next = /^<\/api\/public\/v1(.*)>; rel="next"$/.exec(all.headers.get('Link') ?? '')?.[1]
    expect((await sandbox.read(next ?? '')).body).toHaveProperty('data.length', 2)
  })

  it.each([
    ['bearer:s3cret', 'bearer:…', { Authorization: 'Bearer s3cret' }],
    ['basic:me:s3cret', 'basic:…', { Authorization: 'Basic bWU6czNjcmV0' }],
    ['header:X-Key:s3cret', 'header:X-Key:…', { 'X-Key': 's3cret' }],
  ])('auth %s is shown as %s', async (auth, shown, headers) => {
    const told = await sandbox.control('PUT', '/behaviour', { auth })
    expect(told.body).toEqual({ data: { auth: shown } })
    expect((await sandbox.control('GET', '/behaviour')).body).toEqual({ data: { auth: shown } })
    expect((await sandbox.read('/leaves')).status).toBe(401)
    expect((await sandbox.read('/leaves', undefined, headers)).status).toBe(200)
  })

  it('auth in the query is accepted', async () => {
    await sandbox.control('PUT', '/behaviour', { auth: 'query:key:s3cret' })
    expect((await sandbox.read('/leaves?key=s3cret')).status).toBe(200)
    expect((await sandbox.read('/users/usr_1?key=s3cret')).status).toBe(200)
    expect((await sandbox.read('/users/usr_1?key=other')).status).toBe(401)
  })
})

describe('refused behaviour', () => {
  it.each([
    [{ latency: 5 }, '/latency', 'did you mean `latencyMs`?'],
    [{ latencyMs: 60_001 }, '/latencyMs', 'from 0 to 60000'],
    [{ latencyMs: '5' }, '/latencyMs', 'from 0 to 60000'],
    [{ faults: [{ operation: 'listLeave', status: 500 }] }, '/faults/0/operation', '`listLeaves`'],
    [{ faults: [{ operation: 'getUser', status: 200 }] }, '/faults/0/status', 'from 400 to 599'],
    [{ faults: [{ operation: 'getUser', status: 500, rate: 2 }] }, '/faults/0/rate', '0 to 1'],
    [{ faults: [{ operation: 'getUser', status: 500, 'a/b~': 2 }] }, '/faults/0/a~1b~0', 'must'],
    [{ filters: { tasks: 'ignored' } }, '/filters/tasks', 'must not hold'],
    [{ filters: { leaves: true } }, '/filters/leaves', '"ignored"'],
    [{ pagination: 'pages' }, '/pagination', 'none, page:PAGE'],
    [
      { parameters: { leaves: { employe: 'who' } } },
      '/parameters/leaves/employe',
      'mean `employee`?',
    ],
    [{ auth: 'token:abc' }, '/auth', 'bearer:TOKEN'],
    [[], '', 'object'],
  ])('%j is refused at %s and changes nothing', async (behaviour, pointer, detail) => {
    const told = await sandbox.control('PUT', '/behaviour', behaviour)
    expect(told).toMatchObject({
      status: 400,
      body: { errors: [{ pointer, detail: expect.stringContaining(detail) }] },
    })
    expect((await sandbox.control('GET', '/behaviour')).body).toEqual({ data: {} })
    expect(changes).toEqual([])
  })
})
