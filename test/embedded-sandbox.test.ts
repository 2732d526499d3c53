/* The bridge on its own sandbox: what is changed there shows in the calendar at once. */
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'

import { afterEach, describe, expect, it } from 'vitest'

import { adminToken, calendarUrl, startBridge, type TestBridge } from './support/bridge/bridge.ts'
import { migratedSqliteDatabase } from './support/database/databases.ts'

/** So many days from now. */
function dayIn(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`
}

const leave = {
  userId: 'usr_bob',
  startDate: dayIn(14),
  endDate: dayIn(15),
  days: 2,
  reason: 'Moving house',
  status: 'APPROVED',
  leaveType: { name: 'Moving leave', category: 'ANNUAL' },
}

let bridge: TestBridge

afterEach(() => bridge.close())

async function start(environment: Record<string, string> = {}): Promise<string> {
  bridge = await startBridge({ environment })
  return calendarUrl(await bridge.createFeed({ userIds: ['usr_bob'] }))
}

async function poll(url: string): Promise<string> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  return response.text()
}

async function control(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return fetch(`${bridge.readApiUrl}/sandbox${path}`, {
    method,
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...sent,
  })
}

/** The lines of the calendar's event with that title. */
function eventOf(calendar: string, title: string): string {
  const events = calendar.split('BEGIN:VEVENT')
  return events.find((event) => event.includes(title)) ?? ''
}

it.each(['', 'Host: a\r\nHost: a\r\n', 'Host: 127.0.0.1\r\nhost: evil.example\r\n'])(
  'bridge and sandbox reject a request without exactly one Host line: %j',
  async (hosts) => {
    await start()
    for (const address of [bridge.listensAt, bridge.readApiUrl]) {
      const socket = connect(Number(new URL(address).port), '127.0.0.1')
      socket.write(`GET /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    }
  },
)

describe('an inactive schedule of the sandbox', () => {
  it('is accepted with a warning although the list does not contain it', async () => {
    await start()
    const warnings = [
      'These schedules are not active and show no shifts until they are: sch_summer.',
    ]
    const options = { shifts: { scheduleIds: ['sch_day', 'sch_summer'] } }
    const made = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'], options })
    const feed = (await made.json()) as { id: string }
    expect([made.status, feed]).toMatchObject([201, { warnings, options }])
    const changed = await bridge.api('PATCH', `/api/feeds/${feed.id}`, { options })
    expect([changed.status, await changed.json()]).toMatchObject([200, { warnings, options }])
    const rows = await bridge.api('POST', '/api/feeds', [{ userIds: ['usr_mia'], options }])
    expect([rows.status, await rows.json()]).toMatchObject([201, { warnings }])
  })

  it('does not make any other unknown id valid', async () => {
    await start()
    const options = { shifts: { scheduleIds: ['sch_summer', 'sch_sumer'] } }
    const refused = await bridge.api('POST', '/api/feeds', { userIds: ['usr_ada'], options })
    const pointer = '/options/shifts/scheduleIds/1'
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ pointer }] }])
  })
})

describe('a change in the sandbox', () => {
  it('appears in the next poll as a new event, a newer version or a removed event', async () => {
    const url = await start()
    expect(await poll(url)).not.toContain('Moving leave')
    const path = '/companies/main/leaves/lv_new'
    expect((await control('PUT', path, leave)).status).toBe(201)
    expect(eventOf(await poll(url), 'Moving leave')).toContain('SEQUENCE:0')
    const longer = { ...leave, endDate: dayIn(16), days: 3 }
    expect((await control('PUT', path, longer)).status).toBe(200)
    expect(eventOf(await poll(url), 'Moving leave')).toContain('SEQUENCE:1')
    expect((await control('DELETE', path)).status).toBe(204)
    expect(await poll(url)).not.toContain('Moving leave')
  })

  it('is undone by a reset', async () => {
    const url = await start()
    await control('PUT', '/companies/main/leaves/lv_new', leave)
    expect(await poll(url)).toContain('Moving leave')
    expect((await control('POST', '/companies/main/reset')).status).toBe(200)
    expect(await poll(url)).not.toContain('Moving leave')
  })

  it('a requested fault shows at the next poll, and so does its end', async () => {
    const url = await start()
    await poll(url)
    await control('PUT', '/behaviour', { faults: [{ operation: 'listLeaves', status: 400 }] })
    expect((await fetch(url)).headers.has('X-Feed-Stale-Seconds')).toBe(true)
    await control('PUT', '/behaviour', {})
    expect((await fetch(url)).headers.has('X-Feed-Stale-Seconds')).toBe(false)
  })
})

describe('the calendar page of a person', () => {
  const askJson = { Accept: 'application/json' }
  const calendar = (id: string): string => `/companies/main/users/${id}/calendar`

  it('opens the existing feed by the same link at every request', async () => {
    await start()
    const first = await control('POST', calendar('usr_bob'))
    expect(first.status).toBe(303)
    const page = first.headers.get('Location') ?? ''
    expect((await fetch(page, { headers: { Accept: 'text/html' } })).status).toBe(200)
    const again = await control('POST', calendar('usr_bob'), undefined, askJson)
    expect(await again.json()).toEqual({ data: { page } })
    const feeds = (await (await bridge.api('GET', '/api/feeds')).json()) as { data: unknown[] }
    expect(feeds).toMatchObject({ data: [{ links: [{ label: 'default' }, { label: 'sandbox' }] }] })
  })

  it('a new link replaces the previous one after a restart', async () => {
    const environment = { DATABASE_URL: migratedSqliteDatabase() }
    await start(environment)
    const pageOf = async (): Promise<string> => {
      const asked = await control('POST', calendar('usr_bob'))
      return new URL(asked.headers.get('Location') ?? '').pathname
    }
    const statusOf = async (page: string): Promise<number> =>
      (await fetch(new URL(page, bridge.url), { headers: { Accept: 'text/html' } })).status
    const [first, same] = await Promise.all([pageOf(), pageOf()])
    expect(same).toBe(first)
    await bridge.close()
    bridge = await startBridge({ environment })
    const second = await pageOf()
    expect(await statusOf(second)).toBe(200)
    expect(await statusOf(first)).toBe(410)
  })

  it('is created if there is no feed, but not for an unknown person', async () => {
    await start()
    const made = await control('POST', calendar('usr_cleo'), undefined, askJson)
    expect(made.status).toBe(200)
    expect(await made.json()).toMatchObject({ data: { page: expect.stringContaining('/feeds/') } })
    expect((await control('POST', calendar('usr_nobody'))).status).toBe(404)
    expect((await control('GET', calendar('usr_bob'))).status).toBe(405)
  })
})

it('with keys the bridge uses its own for the sandbox, and the admin token opens the controls', async () => {
  const url = await start({ WORKFORCE_SANDBOX_KEYS: 'k=e=y=acme, other=main' })
  expect(await poll(url)).toContain('BEGIN:VEVENT')
  expect((await control('GET', '/companies')).status).toBe(401)
  const token = { Authorization: `Bearer ${adminToken}` }
  const listed = await control('GET', '/companies', undefined, token)
  expect(await listed.json()).toEqual({ data: ['acme', 'main'] })
  const read = (key: string): Promise<Response> =>
    fetch(`${bridge.readApiUrl}/api/public/v1/leaves`, {
      headers: { Authorization: `Bearer ${key}` },
    })
  expect(await (await read('k=e=y')).json()).toEqual({ data: [] })
  expect((await read('k')).status).toBe(401)
})

describe('the sandbox of a bridge on another address', () => {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const hasIpv6 = addresses.some(({ address }) => address === '::1')

  it.runIf(hasIpv6).each([
    ['::1', '[::1]', '[::1]'],
    ['[::1]', '[::1]', '[::1]'],
    ['::', '[::]', '[::1]'],
  ])('HOST=%s: on the loopback of IPv6, which may be the only one', reads)

  it.each([
    ['localhost', 'localhost', 'localhost'],
    ['127.0.0.2', '127.0.0.2', '127.0.0.1'],
    ['0.0.0.0', '0.0.0.0', '127.0.0.1'],
  ])('HOST=%s: on a loopback address', reads)

  async function reads(host: string, own: string, sandbox: string): Promise<void> {
    const url = await start({ HOST: host })
    expect([bridge.url, bridge.readApiUrl].map((address) => address.replace(/:\d+$/, ''))).toEqual([
      `http://${own}`,
      `http://${sandbox}`,
    ])
    expect(await poll(url)).toContain('BEGIN:VEVENT')
  }
})
