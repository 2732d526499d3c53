/* The way back from the provider, as somebody might forge it: nobody is signed in, and nothing of it is repeated. */
import { request } from 'node:http'

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { see } from '../../support/adversary/seen-people.ts'
import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import { type RogueProvider, startRogueProvider } from '../../support/web/rogue-provider.ts'

const clock = createFakeClock(Date.now())
const log: LogLine[] = []
const script = '<script>alert(1)</script>'
let provider: RogueProvider
let bridge: TestBridge

beforeAll(async () => {
  provider = await startRogueProvider()
  bridge = await startBridge({ environment: provider.environment, clock, log: recordedLog(log) })
  await see(bridge, { id: 'usr_ada_l', email: 'ada@sign-in.example' })
})

afterAll(async () => {
  await bridge.close()
  await provider.close()
})

beforeEach(() => clock.advance(61_000))

async function callback(browser: TestBrowser): Promise<URL> {
  const stopsAt = (url: URL): boolean => url.pathname === '/sign-in/callback'
  return (await browser.follow(`${bridge.url}/sign-in`, { stopsAt })).url
}

describe('a parameter given twice', () => {
  it.each([
    ['state', 'not_begun_here'],
    ['code', 'answer_wrong'],
    ['iss', 'answer_wrong'],
    ['error', 'answer_wrong'],
  ])('%s', async (name, reason) => {
    const browser = new TestBrowser()
    const url = await callback(browser)
    const tokens = provider.asked.get('/token') ?? 0
    for (const value of ['access_denied', url.searchParams.get(name) ?? 'access_denied']) {
      url.searchParams.append(name, value)
    }
    const { status } = await browser.ask(url)
    expect([status, log.at(-1)?.data]).toEqual([400, expect.objectContaining({ reason })])
    expect(browser.jar(bridge.url).has('cfb_session')).toBe(false)
    expect(provider.asked.get('/token') ?? 0).toBe(tokens)
  })
})

it.each([
  ['nothing', ''],
  ['a script', `?error=access_denied&error_description=${encodeURIComponent(script)}`],
  ['a state of nobody', `?code=c&state=${'a'.repeat(32)}.m0.first.${'a'.repeat(43)}`],
  ['half a character', '?code=%ff%00&state=%ed%a0%80&%='],
  ['lists', '?state[]=x&state[a]=y&code[]=z'],
  ['as much as may be written', `?code=${'c'.repeat(12_000)}`],
])('a callback with %s is refused if no sign-in was begun', async (_name, query) => {
  const answer = await new TestBrowser().ask(`${bridge.url}/sign-in/callback${query}`)
  expect(answer.status).toBe(400)
  expect(log.at(-1)?.data).toEqual({ reason: 'not_begun_here' })
  expect(await answer.text()).not.toMatch(/alert|access_denied/)
})

it.each([15_000, 1_000_000])('an address of %i characters is refused unread', async (length) => {
  const before = log.length
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const url = `${bridge.url}/sign-in/callback?state=${'x'.repeat(length)}`
    request(url, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(status).toBe(length > 16_384 ? 431 : 404)
  expect(log.slice(before).filter(({ event }) => event === 'sign_in_refused')).toEqual([])
})

it('a cookie planted beside ours leads to a refused sign-in', async () => {
  const browser = new TestBrowser()
  const url = await callback(browser)
  const ours = browser.cookies(bridge.url)
  const headers = { Cookie: `${ours}; cfb_signing_in=cfs_${'e'.repeat(43)}` }
  expect((await browser.ask(url, { headers })).status).toBe(400)
  expect(log.at(-1)?.data).toEqual({ reason: 'not_begun_here' })
})

it('a way back begun in another browser is refused', async () => {
  const url = await callback(new TestBrowser())
  const victim = new TestBrowser()
  await victim.follow(`${bridge.url}/sign-in`)
  const own = victim.cookies(bridge.url)
  expect((await victim.ask(url)).status).toBe(400)
  expect(victim.cookies(bridge.url)).toBe(own)
})

it('a HEAD request does not use up the way back', async () => {
  const browser = new TestBrowser()
  const url = await callback(browser)
  await new TestBrowser().ask(url, { method: 'HEAD' })
  expect((await browser.follow(url)).url.pathname).toBe('/me')
})
