import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import type { Clock } from '../../src/domain/world.ts'
import { readsFrom, startBridge, type TestBridge } from '../support/bridge.ts'
import { settingsOf } from '../support/examine.ts'
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

  async function folder(): Promise<string> {
    const directory = await mkdtemp(path.join(tmpdir(), 'examiner-'))
    closers.push(() => rm(directory, { recursive: true }))
    return directory
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
    const started = await bridge({})
    const response = await started.api('GET', address)
    expect(response.status).toBe(200)
    const answer: unknown = await response.json()
    expect(answer).toMatchObject({
      companyId: 'main',
      ok: true,
      examinedAt: '2026-01-05T12:00:00.000Z',
    })
    expect(Object.keys(Object(answer))).toEqual(['companyId', 'ok', 'findings', 'examinedAt'])
    expect((await fetch(new URL(address, started.url))).status).toBe(401)
  })

  test('of an unknown company is a problem document', async () => {
    const started = await bridge({})
    const response = await started.api('GET', '/api/companies/other/examination')
    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toContain('application/problem+json')
    expect(await response.json()).toMatchObject({ detail: 'There is no company "other".' })
  })

  test('is kept, and made anew for another connection to the same company', async () => {
    const { url, requests } = await api()
    const shared = { ...readsFrom(url), DATABASE_URL: `file:${await folder()}/bridge.sqlite` }
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
    const started = await startBridge({ environment: readsFrom(url), clock })
    started.app.services.examiner.start()
    await clock.sleepers(1)
    const atStart = requests.length
    expect(atStart).toBeGreaterThan(0)
    await clock.advance(sixHoursMs - 1)
    expect(requests.length).toBe(atStart)
    await passes(clock, 1)
    expect(requests.length).toBe(2 * atStart)
    await started.close()
    expect(await isIdle(clock)).toBe(true)
  })

  test('of a Read API that never answers holds up neither the start nor the end', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve)
    })
    closers.push(async () => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const started = await startBridge({
      environment: readsFrom(`http://127.0.0.1:${port}`),
    })
    const arrived = new Promise((resolve) => {
      silent.once('request', resolve)
    })
    started.app.services.examiner.start()
    await arrived
    expect((await fetch(new URL('/readyz', started.url))).status).toBe(200)
    await started.close()
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
    const file = `${await folder()}/companies.json`
    await writeFile(file, JSON.stringify(companies))
    const { app } = await bridge({ COMPANIES_FILE: file })
    const { examiner } = app.services
    expect(settingsOf(await examiner.run('north'))).toEqual(['"dates": "local"'])
    expect(settingsOf(await examiner.run('south'))).toEqual([
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
async function isIdle(clock: FakeClock): Promise<boolean> {
  const sleeping = clock.sleepers(1).then(() => false)
  return Promise.race([sleeping, clock.advance(0).then(() => true)])
}
