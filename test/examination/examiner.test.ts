import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import type { Examination } from '../../src/domain/examination.ts'
import type { Clock } from '../../src/domain/world.ts'
import { readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import type { TestNode } from '../support/bridge/node.ts'
import { findingOf, settingsOf, wrongIn } from '../support/company/examine.ts'
import { foreignApi } from '../support/company/foreign-api.ts'
import {
  answer,
  type MisbehavingServer,
  stall,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { ada, bob } from '../support/company/people.ts'

const now = Date.UTC(2026, 0, 5, 12)
const today = '2026-01-05'
const sixHoursMs = 6 * 3_600_000

describe('the examination over HTTP', () => {
  let started: TestBridge

  beforeAll(async () => {
    started = await startBridge({ clock: createFakeClock(now) })
  })
  afterAll(() => started.close())

  it('the examination is returned to holders of the admin token, with its time', async () => {
    const response = await started.api('GET', addressOf('main'))
    expect(response.status).toBe(200)
    const told: unknown = await response.json()
    expect(told).toMatchObject({
      companyId: 'main',
      ok: true,
      examinedAt: '2026-01-05T12:00:00.000Z',
    })
    expect(Object.keys(Object(told))).toEqual(['companyId', 'ok', 'findings', 'examinedAt'])
    expect((await fetch(new URL(addressOf('main'), started.url))).status).toBe(401)
  })

  it('the examination of an unknown company is a problem document', async () => {
    const response = await started.api('GET', addressOf('other'))
    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({
      detail: 'There is no company "other"; there is main.',
    })
  })
})

describe('the examination', () => {
  it('is kept, and made again for another connection to the same company', async () => {
    const { url, requests } = await foreignApi({ today })
    const shared = { ...readsFrom(url), DATABASE_URL: `file:${await folder()}/bridge.sqlite` }
    const first = await bridge(shared)
    expect(await examinationOf(first)).toMatchObject({ ok: true })
    const asked = requests.length
    await examinationOf(first)
    await examinationOf(await bridge(shared))
    expect(requests.length).toBe(asked)
    const other = { WORKFORCE_PARAMS: '{"leaves":{"status":null}}' }
    await examinationOf(await bridge({ ...shared, ...other }))
    expect(requests.length).toBeGreaterThan(asked)
  })

  it('runs at the start and every six hours, and ends with the bridge', async () => {
    const clock = createFakeClock(now)
    const { url, requests } = await foreignApi({ today })
    const started = await startBridge({ environment: readsFrom(url), clock })
    const { examiner } = await started.node()
    examiner.start()
    await clock.sleepers(1)
    const atStart = requests.length
    expect(atStart).toBeGreaterThan(0)
    await clock.advance(sixHoursMs - 1)
    expect(requests.length).toBe(atStart)
    await passes(clock, 1)
    const again = requests.length - atStart
    expect(again).toBeGreaterThan(0)
    expect(again).toBeLessThanOrEqual(atStart)
    await started.close()
    expect(await isIdle(clock)).toBe(true)
  })

  it('the rounds of a day send a refused credential in no other way and to no other address', async () => {
    const { url, requests } = await refusing()
    const secret = 'tok-4f9a1c77e2'
    const environment = { ...readsFrom(url), WORKFORCE_AUTH: `header:X-Token:${secret}` }
    const { examiner } = await dayOfRounds(environment)
    expect(requests.map((request) => request.path.split('?')[0])).toEqual(
      Array.from({ length: 5 }, () => [
        '/api/public/v1/schedules',
        '/api/public/v1/timesheets',
      ]).flat(),
    )
    expect(new Set(requests.map(({ headers }) => headers['x-token']))).toEqual(new Set([secret]))
    expect(JSON.stringify(requests)).not.toMatch(/authorization|x-api-key/i)
    const before = requests.length
    await examiner.run('main')
    expect(JSON.stringify(requests.slice(before))).toMatch(/authorization.*x-api-key/i)
  })

  it('the rounds of a day use only the parameter names that are set', async () => {
    const { url, requests } = await foreignApi({
      today,
      parameters: {
        timesheets: { employee: 'who', status: null, from: 'since', to: 'until' },
        leaves: { employee: 'whose', status: null },
        schedules: { type: null, active: null },
      },
      paging: { style: 'page', page: 'page', size: 'size', first: 1, most: 10 },
    })
    const { examiner } = await dayOfRounds(readsFrom(url))
    expect(namesIn(requests)).toEqual(new Set(['userId', 'startDate', 'endDate']))
    const before = requests.length
    expect(settingsOf(await examiner.run('main'))).not.toEqual([])
    expect(namesIn(requests.slice(before))).toContain('employeeId')
  })

  it('a Read API that never answers delays neither the start nor the end', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const silent = await startMisbehavingServer((socket, request) => {
      stall(socket, request)
      resolve()
    })
    onTestFinished(() => silent.close())
    const started = await startBridge({ environment: readsFrom(silent.url) })
    const { examiner } = await started.node()
    examiner.start()
    await arrived
    expect((await fetch(new URL('/readyz', started.url))).status).toBe(200)
    await started.close()
  })

  it('one run serves all simultaneous callers and sends the Read API few requests', async () => {
    const { url, requests } = await foreignApi({ today })
    const { examiner } = await (await bridge(readsFrom(url))).node()
    const [one, other] = await Promise.all([examiner.run('main'), examiner.run('main')])
    expect(one).toBe(other)
    expect(requests.length).toBeLessThan(80)
  })

  it('includes what the bridge itself knows: disputed leaves and people held back', async () => {
    const { url } = await foreignApi({ today })
    const started = await bridge(readsFrom(url))
    const { connections, examiner, store } = await started.node()
    const { id: connectionId = '' } = connections.get('main') ?? {}
    const left = {
      companyId: 'main',
      because: 'user_inactive',
      leftAt: null,
      wasHere: true,
      isHeldBack: false,
      isCleared: false,
    } as const
    for (const { id } of [ada, bob]) await started.createFeed({ userIds: [id] })
    await store.departures.keepDeparture({ ...left, userId: ada.id, since: now, readAt: now })
    expect(wrongIn(await examiner.run('main'))).toEqual([])

    await store.departures.keepDeparture({ ...left, userId: bob.id, since: now, readAt: now })
    await store.departures.decide('main', { since: now, now, judge: () => 'hold back' })
    const never = { batteryAt: null, triedAt: null, credential: null }
    const disputed = { ...never, state: 'disproved', reason: 'two_employees', since: now } as const
    await store.proofs.changeProof(connectionId, () => disputed)
    const examination = await examiner.run('main')
    expect(wrongIn(examination)).toEqual(['leaves-employee', 'departures'])
    const seen = expect.stringMatching(/^Of 4 known people 2 /)
    expect(findingOf(examination, 'departures')).toMatchObject({ seen })
  })

  it('writes the advice for each company in the form of COMPANIES_FILE', async () => {
    const local = await foreignApi({ today, dates: 'local' })
    const renamed = await foreignApi({
      today,
      parameters: {
        timesheets: { employee: 'userId', status: null, from: null, to: null },
        leaves: { employee: 'employee', status: null },
        schedules: { type: null, active: null },
      },
    })
    const timezone = 'Europe/Berlin'
    const file = `${await folder()}/companies.json`
    const companies = [
      { id: 'north', baseUrl: local.url, timezone },
      { id: 'south', baseUrl: renamed.url, timezone, projects: ['prj_gone'] },
    ]
    await writeFile(file, JSON.stringify(companies))
    const started = await bridge({ COMPANIES_FILE: file })
    const { examiner } = await started.node()
    expect(settingsOf(await examiner.run('north'))).toEqual(['"dates": "local"'])
    expect(settingsOf(await examiner.run('south'))).toEqual([
      '"params": {"leaves":{"employee":"employee"}}',
      '"projects": []',
    ])
  })
})

function addressOf(companyId: string): string {
  return `/api/companies/${companyId}/examination`
}

async function examinationOf(started: TestBridge, companyId = 'main'): Promise<Examination> {
  return (await started.api('GET', addressOf(companyId))).json() as Promise<Examination>
}

async function folder(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'examiner-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

async function bridge(
  environment: Readonly<Record<string, string>>,
  clock: Clock = createFakeClock(now),
): Promise<TestBridge> {
  const started = await startBridge({ environment, clock })
  onTestFinished(() => started.close())
  return started
}

/** A bridge whose examinations have gone on for a day, five of them. */
async function dayOfRounds(environment: Readonly<Record<string, string>>): Promise<TestNode> {
  const clock = createFakeClock(now)
  const node = await (await bridge(environment, clock)).node()
  node.examiner.start()
  await clock.sleepers(1)
  for (let round = 0; round < 4; round += 1) await passes(clock, sixHoursMs)
  return node
}

async function refusing(): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer(answer({ status: 401, body: '{}' }))
  onTestFinished(() => server.close())
  return server
}

/** The names of all parameters that were sent. */
function namesIn(requests: readonly string[]): ReadonlySet<string> {
  return new Set(requests.flatMap((url) => [...new URL(url, 'http://api').searchParams.keys()]))
}

/** Moves the clock on and waits until the next pause has begun. */
async function passes(clock: FakeClock, ms: number): Promise<void> {
  await clock.advance(ms)
  await clock.sleepers(1)
}

/** Whether nobody sleeps any more: a sleep that ended with its signal is none. */
async function isIdle(clock: FakeClock): Promise<boolean> {
  const sleeping = clock.sleepers(1).then(() => false)
  return Promise.race([sleeping, clock.advance(0).then(() => true)])
}
