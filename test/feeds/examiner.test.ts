import { afterEach, describe, expect, onTestFinished, test } from 'vitest'

import type { Clock } from '../../src/domain/ports.ts'
import { readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { type ForeignApi, type ForeignStyle, startForeignApi } from '../support/foreign-api.ts'

const now = Date.UTC(2026, 0, 5, 12)
const today = '2026-01-05'
const sixHoursMs = 6 * 3_600_000
const address = '/api/companies/main/examination'

describe('the examination', () => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  async function api(style: ForeignStyle = {}): Promise<ForeignApi> {
    const started = await startForeignApi({ today, ...style })
    closers.push(() => started.close())
    return started
  }

  async function bridge(
    environment: Readonly<Record<string, string>>,
    clock: Clock = createFakeClock(now),
  ): Promise<TestBridge> {
    const started = await startBridge({ environment, clock })
    closers.push(() => started.close())
    return started
  }

  test('is answered to whoever has the admin token, with the time of it', async () => {
    const { api: ask, url } = await bridge({})
    const response = await ask('GET', address)
    expect(response.status).toBe(200)
    const answer: unknown = await response.json()
    expect(answer).toMatchObject({
      companyId: 'main',
      ok: true,
      examinedAt: '2026-01-05T12:00:00.000Z',
    })
    expect(Object.keys(Object(answer))).toEqual(['companyId', 'ok', 'findings', 'examinedAt'])
    expect((await fetch(new URL(address, url))).status).toBe(401)
  })

  test('of an unknown company is a problem document', async () => {
    const { api: ask } = await bridge({})
    const response = await ask('GET', '/api/companies/other/examination')
    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ detail: 'There is no company "other".' })
  })

  test('is kept, and made anew for another connection to the same company', async () => {
    const { url, requests } = await api()
    const database = new URL(`bridge-${crypto.randomUUID()}.sqlite`, 'file:///tmp/').pathname
    onTestFinished(async () => {
      const { rm } = await import('node:fs/promises')
      for (const end of ['', '-wal', '-shm']) await rm(database + end, { force: true })
    })
    const shared = { ...readsFrom(url), DATABASE_URL: `file:${database}` }
    const first = await bridge(shared)
    expect(await (await first.api('GET', address)).json()).toMatchObject({ ok: true })
    const asked = requests.length
    await first.api('GET', address)
    const second = await bridge(shared)
    await second.api('GET', address)
    expect(requests.length).toBe(asked)
    const third = await bridge({ ...shared, WORKFORCE_AUTH: 'bearer:something' })
    await third.api('GET', address)
    expect(requests.length).toBeGreaterThan(asked)
  })

  test('is made at the start and every six hours, and ends with the bridge', async () => {
    const clock = createFakeClock(now)
    const { url, requests } = await api()
    const { app, close } = await startBridge({ environment: readsFrom(url), clock })
    app.services.examiner.start()
    await clock.sleepers(1)
    const atStart = requests.length
    expect(atStart).toBeGreaterThan(0)
    await clock.advance(sixHoursMs - 1)
    expect(requests.length).toBe(atStart)
    await passes(clock, 1)
    expect(requests.length).toBe(2 * atStart)
    await close()
    expect((await clockIsIdle(clock)).valueOf()).toBe(true)
  })

  test('of a Read API that never answers holds up neither the start nor the end', async () => {
    const { createServer } = await import('node:http')
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = Object(silent.address())
    const { app, close, url } = await startBridge({
      environment: readsFrom(`http://127.0.0.1:${port}`),
    })
    const arrived = new Promise((resolve) => {
      silent.once('request', resolve)
    })
    app.services.examiner.start()
    await arrived
    expect((await fetch(new URL('/readyz', url))).status).toBe(200)
    await close()
  })

  test('serves all who ask for it at once, and asks a Read API in order but a few times', async () => {
    const { url, requests } = await api()
    const { app } = await bridge(readsFrom(url))
    const { examiner } = app.services
    const [one, other] = await Promise.all([examiner.run('main'), examiner.run('main')])
    expect(one).toBe(other)
    expect(requests.length).toBeLessThan(60)
  })

  test('writes advice as COMPANIES_FILE has it, for each company its own', async () => {
    const { mkdtemp, rm, writeFile } = await import('node:fs/promises')
    const directory = await mkdtemp('/tmp/companies-')
    onTestFinished(() => rm(directory, { recursive: true }))
    const [local, renamed] = [
      await api({ dates: 'local' }),
      await api({
        parameters: {
          timesheets: { employee: 'userId', status: null, from: null, to: null },
          leaves: { employee: 'employee', status: null },
          schedules: { type: null, active: null },
        },
      }),
    ]
    const timezone = 'Europe/Berlin'
    const companies = [
      { id: 'north', baseUrl: local.url, timezone },
      { id: 'south', baseUrl: renamed.url, timezone, projects: ['prj_gone'] },
    ]
    await writeFile(`${directory}/companies.json`, JSON.stringify(companies))
    const { app } = await bridge({ COMPANIES_FILE: `${directory}/companies.json` })
    const { examiner } = app.services
    expect(await setsOf(examiner.run('north'))).toEqual(['"dates": "local"'])
    expect(await setsOf(examiner.run('south'))).toEqual([
      '"params": {"leaves":{"employee":"employee"}}',
      '"projects": []',
    ])
  })
})

/** Moves the clock on and waits until the next pause has begun. */
async function passes(clock: FakeClock, ms: number): Promise<void> {
  await clock.advance(ms)
  await clock.sleepers(1)
}

/** Whether nobody sleeps any more: a sleep that ended with its signal is none. */
async function clockIsIdle(clock: FakeClock): Promise<boolean> {
  const sleeping = clock.sleepers(1).then(() => false)
  return Promise.race([sleeping, clock.advance(0).then(() => true)])
}

async function setsOf(
  examination: Promise<{ findings: readonly { set: string | null }[] }>,
): Promise<readonly (string | null)[]> {
  return (await examination).findings.map(({ set }) => set).filter((set) => set !== null)
}
