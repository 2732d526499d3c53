/* A session is new at every sign-in, the same on all nodes, and ended on all of them. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { migratedName } from '../../support/database/migrated.ts'
import { createTestDatabase } from '../../support/database/postgres.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import { type RogueProvider, startRogueProvider } from '../../support/web/rogue-provider.ts'

const boss = { idToken: { email: 'boss@sign-in.example', groups: ['hr-admins'] } }
let provider: RogueProvider
let bridges: readonly [TestBridge, TestBridge]
let shared: { readonly DATABASE_URL: string; readonly PUBLIC_URL: string }

beforeAll(async () => {
  provider = await startRogueProvider({ OIDC_ADMIN: 'groups=hr-admins' })
  const databaseUrl = await createTestDatabase(migratedName)
  shared = { DATABASE_URL: databaseUrl, PUBLIC_URL: 'http://calendars.example' }
  const environment = { ...provider.environment, ...shared }
  bridges = [await startBridge({ environment }), await startBridge({ environment })]
  provider.lie(boss)
})

afterAll(async () => {
  for (const bridge of bridges) await bridge.close()
  await provider.close()
})

/** As the proxy in front leads to that node: where somebody is sent to the public address, it is asked. */
async function signIn(bridge: TestBridge, browser: TestBrowser): Promise<Response> {
  const begun = await browser.ask(`${bridge.listensAt}/sign-in`)
  const back = await browser.ask(begun.headers.get('location') ?? '')
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  return browser.ask(`${bridge.listensAt}${pathname}${search}`)
}

function signOut(bridge: TestBridge, browser: TestBrowser, headers: Record<string, string>) {
  return browser.ask(`${bridge.listensAt}/sign-out`, { method: 'POST', headers })
}

async function consoleOf(bridge: TestBridge, cookie: string): Promise<number> {
  const headers = { Cookie: cookie }
  return (await new TestBrowser().ask(`${bridge.listensAt}/console`, { headers })).status
}

const ours = { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://calendars.example' }

it('a sign-out on one node ends the session on the other', async () => {
  const [one, other] = bridges
  const browser = new TestBrowser()
  const signedIn = await signIn(one, browser)
  expect(signedIn.headers.get('location')).toBe('/console')
  const cookie = browser.cookies(one.listensAt)
  expect(await consoleOf(other, cookie)).toBe(200)
  const out = await signOut(one, browser, ours)
  expect([out.status, out.headers.get('location')]).toEqual([303, '/'])
  expect(browser.cookies(one.listensAt)).toBe('')
  for (const bridge of bridges) expect(await consoleOf(bridge, cookie)).toBe(303)
  const { access } = await one.node()
  const auditEvents = await access.audit.listEntries({ actions: ['staff_signed_out'], limit: 9 })
  expect(auditEvents.map(({ actor }) => actor)).toEqual(['staff:boss@sign-in.example'])
})

it('a person removed from the settings loses access, and changed rules need a new sign-in', async () => {
  const [one] = bridges
  const { store } = await one.node()
  const user = { id: 'usr_chief', firstName: 'C', lastName: 'F', email: 'chief@sign-in.example' }
  await store.people.seePeople('main', [user], 1)
  const reading = { userId: user.id, state: 'active', user, readAt: 2 } as const
  await store.people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
  const browser = new TestBrowser()
  provider.lie({ idToken: { email: user.email, groups: ['hr-admins'] } })
  expect((await signIn(one, browser)).headers.get('location')).toBe('/me')
  provider.lie(boss)
  const headers = { Cookie: browser.cookies(one.listensAt) }
  const others = [
    { WORKFORCE_COMPANY: 'other' },
    { OIDC_ADMIN: '', OIDC_SUPPORT: 'groups=hr-admins' },
    { OIDC_ADMIN: 'groups=it-admins' },
    { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_ADMIN: '' },
  ]
  const shown: unknown[] = []
  for (const settings of others) {
    const environment = { ...provider.environment, ...shared, ...settings }
    const bridge = await startBridge({ environment })
    for (const path of ['/me', '/console', '/api/feeds']) {
      shown.push((await new TestBrowser().ask(`${bridge.listensAt}${path}`, { headers })).status)
    }
    await bridge.close()
  }
  const [withoutPerson, ...ended] = [shown.slice(0, 3), shown.slice(3, 9), shown.slice(9)]
  expect(withoutPerson).toEqual([303, 200, 200])
  expect(ended).toEqual([
    [303, 303, 401, 303, 303, 401],
    [404, 303, 401],
  ])
})

it('a sign-in can begin on one node and end on the other', async () => {
  const [one, other] = bridges
  const browser = new TestBrowser()
  const begun = await browser.ask(`${one.listensAt}/sign-in`)
  const back = await browser.ask(begun.headers.get('location') ?? '')
  const { search } = new URL(back.headers.get('location') ?? '')
  const headers = { Cookie: browser.cookies(one.listensAt) }
  const url = `${other.listensAt}/sign-in/callback${search}`
  expect((await new TestBrowser().ask(url, { headers })).headers.get('location')).toBe('/console')
})

it('a session never uses a secret that the browser sent, and an old session ends', async () => {
  const [bridge] = bridges
  const browser = new TestBrowser()
  const planted = `cfs_${'a'.repeat(43)}`
  browser.jar(bridge.listensAt).set('cfb_session', planted)
  await signIn(bridge, browser)
  const first = browser.cookies(bridge.listensAt)
  expect(first).not.toContain(planted)
  expect(await consoleOf(bridge, `cfb_session=${planted}`)).toBe(303)
  await signIn(bridge, browser)
  expect(browser.cookies(bridge.listensAt)).not.toBe(first)
  expect(await consoleOf(bridge, first)).toBe(303)
})

it.each<[string, Record<string, string>]>([
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  ['a sister', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://calendars.example' }],
  ['a page without origin', { Origin: 'null' }],
  ['what says nothing', {}],
])('a sign-out sent by %s is refused', async (_name, headers) => {
  const [bridge] = bridges
  const browser = new TestBrowser()
  await signIn(bridge, browser)
  const cookie = browser.cookies(bridge.listensAt)
  // Node's own fetch would say where it comes from.
  const { request } = await import('node:http')
  const status = await new Promise((resolve) => {
    const options = { method: 'POST', headers: { ...headers, Cookie: cookie } }
    request(`${bridge.listensAt}/sign-out`, options, (answer) =>
      resolve(answer.resume().statusCode),
    ).end()
  })
  expect(status).toBe(403)
  expect(await consoleOf(bridge, cookie)).toBe(200)
})

it('opening sign-out changes nothing, and signing out without a session is no error', async () => {
  const [bridge] = bridges
  const browser = new TestBrowser()
  await signIn(bridge, browser)
  const opened = await browser.ask(`${bridge.listensAt}/sign-out`)
  expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await consoleOf(bridge, browser.cookies(bridge.listensAt))).toBe(200)
  expect((await signOut(bridge, new TestBrowser(), ours)).status).toBe(303)
})

it.each([
  ['/sign-in', 'GET'],
  ['/sign-in/callback', 'GET'],
  ['/console', 'GET, HEAD'],
])('%s does not accept POST', async (path, allowed) => {
  const url = `${bridges[0].listensAt}${path}`
  const answer = await new TestBrowser().ask(url, { method: 'POST' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
})

it('cookies are hidden from scripts and other sites and, with https, from other hosts', async () => {
  const environment = { ...provider.environment, PUBLIC_URL: 'https://calendars.example/base' }
  const bridge = await startBridge({ environment })
  const browser = new TestBrowser()
  const signedIn = await signIn(bridge, browser)
  expect(signedIn.status).toBe(404)
  const begun = await browser.ask(`${bridge.listensAt}/sign-in`)
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-cfb_signing_in=cfs_[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  const { searchParams } = new URL(begun.headers.get('location') ?? '')
  expect(searchParams.get('redirect_uri')).toBe('https://calendars.example/base/sign-in/callback')
  await bridge.close()
})

it.each(['/sign-in', '/sign-in/callback'])('without a provider %s answers 404', async (path) => {
  const bridge = await startBridge()
  expect((await new TestBrowser().ask(`${bridge.listensAt}${path}`)).status).toBe(404)
  await bridge.close()
})
