import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

import { afterEach, describe, expect, it } from 'vitest'

import {
  adminToken,
  calendarUrl,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge/bridge.ts'
import { startPrefixProxy } from '../support/bridge/prefix-proxy.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { twoPeople } from '../support/company/people.ts'

let bridge: TestBridge

afterEach(() => bridge.close())

async function metrics(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${bridge.url}/metrics`, { headers })
}

/** The value of one line: `name{labels}`. */
function valueOf(text: string, line: string): number {
  const found = text.split('\n').find((one) => one.startsWith(`calendar_feed_bridge_${line} `))
  return Number(found?.split(' ').at(-1) ?? Number.NaN)
}

describe('GET /metrics', () => {
  it('answers are counted by route and status, and logged events are counted as well', async () => {
    const company = await startCompanyServer()
    Object.assign(company.records, twoPeople())
    bridge = await startBridge({ environment: readsFrom(company.url) })
    const first = await (await metrics()).text()
    expect(valueOf(first, 'feeds{state="open"}')).toBe(0)
    expect(first).not.toMatch(/^nodejs_eventloop_lag_\w+ (?:nan|92233)/im)
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const url = calendarUrl(feed)
    const etag = (await fetch(url)).headers.get('etag')
    await fetch(url, { headers: { 'If-None-Match': String(etag) } })
    await fetch(url.replace('.ics', '.json'))
    await fetch(url.replace('cfb_', 'cfb_x'))
    await fetch(url.replace(/\/[^/]*$/, ''))
    company.faults.set('/users/', 500)
    await bridge.createFeed({ userIds: ['usr_bob'] })
    const openFeeds = async (): Promise<number> =>
      valueOf(await (await metrics()).text(), 'feeds{state="open"}')
    await expect.poll(openFeeds).toBe(2)
    const text = await (await metrics()).text()
    expect(valueOf(text, 'answers_total{route="calendar",status="200"}')).toBe(1)
    expect(valueOf(text, 'answers_total{route="calendar",status="304"}')).toBe(1)
    expect(valueOf(text, 'answers_total{route="calendar",status="404"}')).toBe(1)
    expect(valueOf(text, 'answers_total{route="events",status="200"}')).toBe(1)
    expect(valueOf(text, 'answers_total{route="page",status="200"}')).toBe(1)
    expect(valueOf(text, 'answers_total{route="api",status="201"}')).toBe(2)
    expect(valueOf(text, 'answer_seconds_count{route="calendar"}')).toBe(3)
    const proven = 'events_total{event="leave_proof_changed",level="info",company="main"}'
    expect(valueOf(text, proven)).toBe(1)
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
    expect(text).not.toContain(url.split('/')[4])
    expect(text).not.toMatch(/usr_|Ada/)
    await company.close()
  })

  it('wrong tokens count together with wrong tokens of the API', async () => {
    bridge = await startBridge({ environment: { PUBLIC_URL: 'https://calendars.example' } })
    const headers = { Authorization: 'Bearer wrong' }
    const tried = async (path: string): Promise<number> =>
      (await fetch(`${bridge.listensAt}${path}`, { headers })).status
    for (let times = 0; times < 60; times += 1) await tried('/api/feeds')
    expect([await tried('/api/feeds'), await tried('/metrics')]).toEqual([429, 429])
  })

  it('the metrics are in the Prometheus text format', async () => {
    bridge = await startBridge()
    const response = await metrics()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const lines = (await response.text()).split('\n')
    const other = lines.filter((line) => !/^(#.*|[a-z_0-9]+(\{.*\})? \S+|)$/.test(line))
    expect(other).toEqual([])
    // As a page elsewhere asks whose name was bound to this machine.
    const asked = request(`${bridge.url}/metrics`, { headers: { Host: 'evil.example.com' } }).end()
    const [foreign] = (await once(asked, 'response')) as [IncomingMessage]
    foreign.resume()
    expect(foreign.statusCode).toBe(401)
    expect((await metrics({ 'X-Forwarded-For': '192.0.2.7' })).status).toBe(401)
  })

  it.each(['https://calendar.example.com', 'http://10.1.2.3:8080', 'http://127.0.0.1.example.com'])(
    'the metrics need the admin token where the public address is %s',
    async (publicUrl) => {
      const proxy = await startPrefixProxy('/bridge')
      const listening = `http://127.0.0.1:${proxy.portBehind}`
      bridge = await startBridge({
        environment: { PUBLIC_URL: publicUrl, PORT: String(proxy.portBehind) },
      })
      const ask = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(`${listening}/metrics`, { headers })).status
      expect(await ask({})).toBe(401)
      expect(await ask({ Authorization: 'Bearer wrong' })).toBe(401)
      expect(await ask({ Authorization: `Bearer ${adminToken}` })).toBe(200)
      proxy.close()
    },
  )
})
