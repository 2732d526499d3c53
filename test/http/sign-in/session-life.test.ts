/* What becomes of a sign-in while it lasts: its end is the same on all nodes, and it stays that of one person. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { see } from '../../support/adversary/seen-people.ts'
import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { migratedName } from '../../support/database/migrated.ts'
import { createTestDatabase } from '../../support/database/postgres.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import { type RogueProvider, startRogueProvider } from '../../support/web/rogue-provider.ts'

const hourMs = 3_600_000
const publicUrl = 'http://calendars.example'
const ours = { Origin: publicUrl, 'Sec-Fetch-Site': 'same-origin' }
const clock = createFakeClock(Date.now())
let provider: RogueProvider
let bridges: readonly [TestBridge, TestBridge]

beforeAll(async () => {
  provider = await startRogueProvider({ SESSION_HOURS: '2' })
  const shared = { DATABASE_URL: await createTestDatabase(migratedName), PUBLIC_URL: publicUrl }
  const environment = { ...provider.environment, ...shared }
  bridges = [await startBridge({ environment, clock }), await startBridge({ environment, clock })]
})

afterAll(async () => {
  for (const bridge of bridges) await bridge.close()
  await provider.close()
})

/** As the proxy in front leads there; gives the cookies that the browser has then. */
async function signIn(email: string, from = ''): Promise<string> {
  provider.lie({ idToken: { email } })
  const [{ listensAt }] = bridges
  const browser = new TestBrowser()
  const [name, value] = from.split('=')
  if (name && value) browser.jar(listensAt).set(name, value)
  const begun = await browser.ask(`${listensAt}/sign-in`)
  const back = await browser.ask(begun.headers.get('location') ?? '')
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  const signedIn = await browser.ask(`${listensAt}${pathname}${search}`)
  expect(signedIn.headers.get('location')).toBe('/me')
  const session = signedIn.headers.getSetCookie().find((line) => line.includes('session'))
  expect(session).toContain(`Max-Age=${(2 * hourMs) / 1000};`)
  return browser.cookies(listensAt)
}

function open(bridge: TestBridge, cookie: string): Promise<Response> {
  return new TestBrowser().ask(`${bridge.listensAt}/me`, { headers: { Cookie: cookie } })
}

async function statuses(cookie: string): Promise<readonly number[]> {
  return Promise.all(bridges.map(async (bridge) => (await open(bridge, cookie)).status))
}

it('a session ends at the same time on every node, and a new sign-in makes a new session', async () => {
  await see(bridges[0], { id: 'usr_ends', email: 'ends@sign-in.example' })
  const first = await signIn('ends@sign-in.example')
  await clock.advance(2 * hourMs - 1)
  expect(await statuses(first)).toEqual([200, 200])
  const second = await signIn('ends@sign-in.example', first)
  expect(second).not.toBe(first)
  expect(await statuses(first)).toEqual([303, 303])
  await clock.advance(1)
  expect(await statuses(second)).toEqual([200, 200])
  await clock.advance(2 * hourMs - 1)
  expect(await statuses(second)).toEqual([303, 303])
})

it('a session is invalid after its person has left, and valid again when they return', async () => {
  const person = { id: 'usr_goes', email: 'goes@sign-in.example' }
  await see(bridges[0], person)
  const cookie = await signIn(person.email)
  await see(bridges[1], { ...person, state: 'user_inactive', readAt: 3 })
  expect(await statuses(cookie)).toEqual([303, 303])
  await see(bridges[1], { ...person, readAt: 4 })
  expect(await statuses(cookie)).toEqual([200, 200])
})

it('a session keeps its person when their address passes to somebody else', async () => {
  const address = 'moves@sign-in.example'
  await see(bridges[0], { id: 'usr_old', email: address })
  const old = await signIn(address)
  await see(bridges[1], { id: 'usr_old', email: 'other@sign-in.example', readAt: 3 })
  await see(bridges[1], { id: 'usr_new', email: address })
  const newer = await signIn(address)
  for (const bridge of bridges) {
    expect(await (await open(bridge, old)).text()).toContain('First usr_old')
    expect(await (await open(bridge, newer)).text()).toContain('First usr_new')
  }
})

it('a session leaves nothing for the back button after a sign-out on any node', async () => {
  await see(bridges[0], { id: 'usr_out', email: 'out@sign-in.example' })
  const cookie = await signIn('out@sign-in.example')
  const page = await open(bridges[0], cookie)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(await page.text()).toContain('First usr_out')
  const headers = { ...ours, Cookie: cookie }
  const url = `${bridges[1].listensAt}/sign-out`
  expect((await new TestBrowser().ask(url, { method: 'POST', headers })).status).toBe(303)
  const after = await open(bridges[0], cookie)
  expect([after.status, after.headers.get('location')]).toEqual([303, '/sign-in'])
  expect(await after.text()).not.toContain('usr_out')
})
