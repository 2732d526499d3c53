/* Limits stand far above what calendar programs do: who meets one is told when to come back. */
import { afterEach, describe, expect, it } from 'vitest'

import { AppError } from '../../src/domain/errors.ts'
import { addressKey, RequestLimit } from '../../src/web/request-limit.ts'
import { calendarUrl, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'

const unknownToken = `cfb_${'A'.repeat(43)}`

let clock: FakeClock
let bridge: TestBridge

async function start(environment: Record<string, string> = {}): Promise<void> {
  clock = createFakeClock()
  bridge = await startBridge({
    clock,
    environment: { FEED_POLLS_PER_MINUTE: '5', UNKNOWN_TOKENS_PER_MINUTE: '3', ...environment },
  })
}

afterEach(() => bridge.close())

function from(addresses: string): Record<string, string> {
  return { 'X-Forwarded-For': addresses }
}

async function statuses(count: number, url: string, headers = {}): Promise<number[]> {
  const found: number[] = []
  for (let asked = 0; asked < count; asked += 1) found.push((await fetch(url, { headers })).status)
  return found
}

describe('a link', () => {
  it('a link is served a limited number of times a minute, whatever is asked for', async () => {
    await start()
    const url = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
    await clock.advance(20_000)
    expect(await statuses(2, url.replace('.ics', '.json'))).toEqual([200, 200])
    const { headers } = await fetch(url, { method: 'HEAD' })
    const condition = { 'If-None-Match': String(headers.get('etag')) }
    expect(await statuses(3, url, condition)).toEqual([304, 304, 429])
    const refused = await fetch(url)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('40')
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(refused.headers.get('etag')).toBeNull()
    expect(await refused.text()).toBe('Too many requests. Wait a minute.\n')
    await clock.advance(40_000)
    expect(await statuses(1, url)).toEqual([200])
  })

  it('the page of a link is limited as well', async () => {
    await start()
    const url = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
    const page = url.replace(/\/[^/]*$/, '')
    expect(await statuses(6, page)).toEqual([200, 200, 200, 200, 200, 429])
    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const body = new URLSearchParams()
    expect((await fetch(page, { method: 'POST', body, headers })).status).toBe(429)
  })

  it('a limited link does not hold back other links from the same address', async () => {
    await start()
    const [one, other] = [
      calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] })),
      calendarUrl(await bridge.createFeed({ userIds: ['usr_bob'] })),
    ]
    await statuses(6, one)
    expect(await statuses(5, other)).toEqual([200, 200, 200, 200, 200])
  })

  it('an ended link is limited like any other', async () => {
    await start()
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    expect(await statuses(6, calendarUrl(feed))).toEqual([410, 410, 410, 410, 410, 429])
  })
})

describe('a client address that asks for unknown tokens', () => {
  it('unknown tokens are limited on calendars and pages together, and known links keep working', async () => {
    await start()
    const known = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
    expect(await statuses(1, `${bridge.url}/feeds/${unknownToken}/a.ics`)).toEqual([404])
    expect(await statuses(1, `${bridge.url}/feeds/malformed/a.json`)).toEqual([404])
    expect(await statuses(1, `${bridge.url}/feeds/${unknownToken}`)).toEqual([404])
    const calendar = await fetch(`${bridge.url}/feeds/${unknownToken}/a.ics`)
    expect([calendar.status, calendar.headers.get('content-type')]).toEqual([
      429,
      'text/plain; charset=utf-8',
    ])
    const page = await fetch(`${bridge.url}/feeds/${unknownToken}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([
      429,
      'text/html; charset=utf-8',
    ])
    for (const { headers } of [calendar, page]) expect(headers.get('retry-after')).toBe('60')
    expect(await statuses(1, known)).toEqual([200])
    await clock.advance(60_000)
    expect(await statuses(1, `${bridge.url}/feeds/${unknownToken}/a.ics`)).toEqual([404])
  })

  it('the client address is the one that the trusted proxy names, not one a client may write', async () => {
    await start({ TRUST_PROXY: '1' })
    const url = `${bridge.url}/feeds/${unknownToken}/a.ics`
    expect(await statuses(4, url, from('203.0.113.1'))).toEqual([404, 404, 404, 429])
    expect(await statuses(1, url, from('203.0.113.2'))).toEqual([404])
    expect(await statuses(1, url, from('203.0.113.3, 203.0.113.1'))).toEqual([429])
  })

  it('a client cannot name its own address where no proxy is trusted', async () => {
    await start()
    const url = `${bridge.url}/feeds/${unknownToken}/a.ics`
    const found: number[] = []
    for (const last of [1, 2, 3, 4]) {
      found.push(...(await statuses(1, url, { 'X-Forwarded-For': `203.0.113.${last}` })))
    }
    expect(found).toEqual([404, 404, 404, 429])
  })
})

describe('counting', () => {
  it('an IPv6 network counts as one client, whatever address it uses', async () => {
    await start()
    const keys = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'].map((ip) => addressKey({ ip }))
    expect(keys[0]).toBe(keys[1])
    expect(addressKey({ ip: '2001:db8:2::1' })).not.toBe(keys[0])
    expect(addressKey({ ip: '::ffff:192.0.2.1' })).toBe(addressKey({ ip: '192.0.2.1' }))
    expect(addressKey({ ip: '192.0.2.2' })).not.toBe(addressKey({ ip: '192.0.2.1' }))
  })

  it('a value from a proxy that is no address counts on its own and is stored shortened', async () => {
    await start()
    const keys = ['unknown', 'a'.repeat(15_000), 'b'.repeat(15_000)].map((ip) => addressKey({ ip }))
    expect(new Set(keys).size).toBe(3)
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(64)
  })

  it('not all of a million keys a minute are remembered, but the first ones are', async () => {
    await start()
    const limit = new RequestLimit(1, clock)
    limit.take('first')
    for (let key = 0; key < 1_000_000; key += 1) limit.take(String(key))
    expect(() => limit.take('first')).toThrow(AppError)
    expect(() => limit.take('999999')).not.toThrow()
  })
})
