/* Limits of an account, and passwords: wrong ones are limited, none is taken over plain http, and none is logged. */
import { networkInterfaces } from 'node:os'

import { describe, expect } from 'vitest'

import { calendarUrl, startBridge } from '../support/bridge/bridge.ts'
import { startPrefixProxy } from '../support/bridge/prefix-proxy.ts'
import { it } from '../support/dav/account-fixture.ts'
import {
  accountOf,
  basic,
  type DavAccount,
  eventsOf,
  multiget,
  propfind,
  query,
  readMultistatus,
  sync,
  tokenOf,
} from '../support/dav/dav-client.ts'

const unknown = `cfb_${'A'.repeat(43)}`
const current = { body: propfind('<sync-token/>'), headers: { Depth: '0' } }

async function statuses(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = []
  for (let asked = 0; asked < count; asked += 1) found.push((await ask()).status)
  return found
}

describe('passwords', () => {
  it.override('settings', { UNKNOWN_TOKENS_PER_MINUTE: '3' })

  it('only wrong ones count, and others at the same address stay open', async ({ account }) => {
    const ask = (password: string | null, headers = {}): ReturnType<DavAccount['ask']> =>
      account.ask('PROPFIND', account.calendar, { ...current, headers, password })
    const none = [
      {},
      { Authorization: '' },
      { Authorization: 'Basic' },
      { Authorization: 'Basic %' },
      { Authorization: basic('x', '') },
      { Authorization: basic('x', '').replace(/=*$/, '') },
      { Authorization: `Bearer ${account.secret}` },
      { Authorization: `Digest username="x", response="${account.secret}"` },
      { Cookie: `password=${account.secret}` },
    ]
    for (const headers of [...none, ...none]) {
      const { status, headers: sent } = await ask(null, headers)
      expect([status, sent['www-authenticate']]).toEqual([
        401,
        'Basic realm="Calendars", charset="UTF-8"',
      ])
    }
    for (const wrong of [unknown, 'x'.repeat(9000), account.secret.toUpperCase()]) {
      expect((await ask(wrong)).status).toBe(401)
    }
    const refused = await ask(`${account.secret}x`)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    expect((await account.ask('PUT', '/dav/x', { password: unknown })).status).toBe(429)
    expect((await ask(account.secret)).status).toBe(207)
  })

  it('any user name works', async ({ account }) => {
    for (const user of ['x', '', 'ada@example.com', 'ümlaut', ' ', 'x'.repeat(2000)]) {
      expect((await account.ask('PROPFIND', account.calendar, { user })).status).toBe(207)
    }
  })

  it('wrong ones and unknown calendars count together', async ({ account, bridge }) => {
    const address = `${bridge.url}/feeds/${unknown}/a.ics`
    expect(await statuses(2, () => fetch(address))).toEqual([404, 404])
    expect(
      await statuses(2, () => account.ask('PROPFIND', '/dav/', { password: unknown })),
    ).toEqual([401, 429])
    expect(await statuses(1, () => fetch(address))).toEqual([429])
  })
})

describe('requests', () => {
  it.override('settings', { FEED_POLLS_PER_MINUTE: '4' })

  it('an account has a hundred for each poll, and they do not count as polls', async ({
    account,
    bridge,
  }) => {
    const [event = ''] = await eventsOf(account)
    const got = await statuses(350, () => account.ask('GET', event))
    expect(new Set(got)).toEqual(new Set([200]))
    const address = `${bridge.url}/feeds/${account.secret}/a.ics`
    expect(await statuses(5, () => fetch(address))).toEqual([200, 200, 200, 200, 429])
    // 351 have been counted. Each counts once, whether its answer was ready or not.
    const token = await tokenOf(account)
    const asked = [
      () => account.ask('REPORT', account.calendar, { body: multiget([event]) }),
      () => account.ask('REPORT', account.calendar, { body: sync(token) }),
      () => account.ask('PROPFIND', account.calendar, current),
    ]
    for (const ask of asked) expect(new Set(await statuses(16, ask))).toEqual(new Set([207]))
    for (const ask of asked) {
      const refused = await ask()
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
    }
    expect((await account.ask('PROPFIND', '/dav/', { password: unknown })).status).toBe(401)
  })
})

describe('large answers', () => {
  it.override('settings', { FEED_POLLS_PER_MINUTE: '1' })

  it('count as one more request for each 32 KiB', async ({ account }) => {
    const body = sync('').replace('<getetag/>', '<getetag/><C:calendar-data/>')
    const whole = { body }
    const { status, text } = await account.ask('REPORT', account.calendar, whole)
    const parts = Math.floor(text.length / 32_768)
    expect(status).toBe(207)
    expect(parts).toBeGreaterThan(0)
    // A hundred requests for each poll.
    const more = Math.ceil(100 / (1 + parts)) - 1
    const ask = (): ReturnType<DavAccount['ask']> => account.ask('REPORT', account.calendar, whole)
    expect(new Set(await statuses(more, ask))).toEqual(new Set([207]))
    expect((await ask()).status).toBe(429)
  })
})

describe('a password over plain http', () => {
  const elsewhere = { Host: 'calendars.example' }
  const forwarded = (proto: string): Record<string, string> => ({
    ...elsewhere,
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Proto': proto,
  })
  const https = 'https://calendars.example'
  const places: readonly (readonly [
    settings: Record<string, string>,
    asked: readonly (readonly [headers: Record<string, string>, isTaken: boolean])[],
  ])[] = [
    [
      {},
      [
        [{}, true],
        [{ Host: 'localhost' }, true],
        [elsewhere, false],
        [forwarded('https'), false],
        [{ 'X-Forwarded-Proto': 'https' }, false],
        [{ Via: '1.1 proxy' }, false],
      ],
    ],
    [
      { TRUST_PROXY: '1' },
      [
        [forwarded('https'), true],
        [forwarded('http'), false],
        [elsewhere, false],
        [{ 'X-Forwarded-For': '203.0.113.9' }, false],
      ],
    ],
    [
      { TRUST_PROXY: '1', PUBLIC_URL: https },
      [
        [forwarded('https'), true],
        [forwarded('http'), false],
        [forwarded('HTTP'), false],
        [elsewhere, true],
      ],
    ],
    [{ PUBLIC_URL: https }, [[elsewhere, true]]],
    [{ ALLOW_INSECURE: 'true', TRUST_PROXY: '1' }, [[forwarded('http'), true]]],
  ]

  it.for(places)('is taken or refused with %o', async ([settings, asked], { environment }) => {
    const bridge = await startBridge({ environment: { ...environment, ...settings } })
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const account = accountOf(feed, bridge.listensAt)
    // The first answer comes from the routes, the second is ready.
    for (const [headers, isTaken] of [...asked, ...asked]) {
      for (const question of [current, { headers: {} }]) {
        const { status, headers: sent } = await account.ask('PROPFIND', account.calendar, {
          ...question,
          headers: { ...question.headers, ...headers },
        })
        expect([headers, status]).toEqual([headers, isTaken ? 207 : 403])
        // Without a challenge, clients send no password.
        expect(sent['www-authenticate']).toBeUndefined()
      }
    }
    await bridge.close()
  })

  it('is refused at an address of this machine that others can reach', async ({ environment }) => {
    const bridge = await startBridge({ environment: { ...environment, HOST: '0.0.0.0' } })
    const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
    const account = accountOf(feed, bridge.listensAt)
    const { port } = new URL(bridge.listensAt)
    const addresses = Object.values(networkInterfaces())
      .flat()
      .flatMap((own) => (own?.family === 'IPv4' ? [own.address] : []))
    for (const address of addresses) {
      const at = `http://${address}:${port}`
      const { status } = await account.ask('PROPFIND', '/dav/', { at })
      expect([address, status]).toEqual([address, address.startsWith('127.') ? 207 : 403])
    }
    await bridge.close()
  })
})

describe('the secret', () => {
  it('is in no log line, metric, error or redirect', async ({ account, bridge, logged }) => {
    const { secret, calendar } = account
    const ways = [
      account.ask('PROPFIND', calendar, current),
      account.ask('PROPFIND', `/dav/calendars/${secret}/`),
      account.ask('GET', `${calendar}${secret}.ics`),
      account.ask('GET', `/.well-known/caldav?${secret}`),
      account.ask('PROPFIND', '/dav/', { user: secret, password: null }),
      account.ask('PROPFIND', '/dav/', { user: secret, password: 'x' }),
      account.ask('PROPFIND', '/dav/', { password: `${secret}x` }),
      account.ask('REPORT', calendar, { body: sync(secret) }),
      account.ask('REPORT', calendar, { body: query(`<C:time-range start="${secret}"/>`) }),
      account.ask('PROPFIND', calendar, { body: `<a xmlns="${secret}"` }),
      account.ask('PROPFIND', calendar, { headers: { Depth: secret, 'User-Agent': secret } }),
    ]
    for (const { text, headers } of await Promise.all(ways)) {
      expect(text + JSON.stringify(headers)).not.toContain(secret.slice(4))
    }
    const metrics = await (await bridge.api('GET', '/metrics')).text()
    expect(metrics).toContain('route="dav"')
    for (const told of [metrics, JSON.stringify(logged)]) {
      expect(told).not.toContain(secret.slice(4))
      expect(told).not.toContain(basic('anybody', secret).slice(-30))
    }
  })
})

describe('a public address with a path', () => {
  it('begins every href, and only such hrefs are found', async ({ environment }) => {
    const proxy = await startPrefixProxy('/hr/calendars')
    const bridge = await startBridge({
      environment: { ...environment, PUBLIC_URL: proxy.url, PORT: String(proxy.portBehind) },
    })
    const account = accountOf(await bridge.createFeed({ userIds: ['usr_ada'] }), proxy.url)
    const prefix = '/hr/calendars'
    const moved = await account.ask('PROPFIND', `${prefix}/.well-known/caldav`)
    expect([moved.status, moved.headers.location]).toEqual([308, `${prefix}/dav/`])
    const home = await account.ask('PROPFIND', `${prefix}/dav/calendars/`, {
      headers: { Depth: '1' },
    })
    const calendar = prefix + account.calendar
    expect(readMultistatus(home).responses.map(({ href }) => href)).toEqual([
      `${prefix}/dav/calendars/`,
      calendar,
    ])
    const all = await account.ask('REPORT', calendar, { body: query('') })
    const hrefs = readMultistatus(all).responses.map(({ href }) => href)
    expect(hrefs.every((href) => href.startsWith(calendar))).toBe(true)
    const got = await account.ask('REPORT', calendar, {
      body: multiget([...hrefs, hrefs[0]!.slice(prefix.length), `${prefix}${hrefs[0]}`]),
    })
    expect(readMultistatus(got).responses.map(({ status }) => status)).toEqual([
      ...hrefs.map(() => undefined),
      404,
      404,
    ])
    expect((await account.ask('GET', hrefs[0]!)).status).toBe(200)
    expect((await account.ask('PUT', hrefs[0]!)).text).toContain(`>${hrefs[0]}<`)
    expect(calendarUrl(await bridge.createFeed({ userIds: ['usr_bob'] }))).toContain(prefix)
    await bridge.close()
    proxy.close()
  })
})
