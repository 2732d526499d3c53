/* Signing in and out under the address that people open, which the proxy in front leads here. */
import { afterEach, expect, it } from 'vitest'

import { see } from '../../support/adversary/seen-people.ts'
import { startBridge } from '../../support/bridge/bridge.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import { startRogueProvider } from '../../support/web/rogue-provider.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function start(publicUrl: string, settings: Readonly<Record<string, string>> = {}) {
  const provider = await startRogueProvider()
  const environment = { ...provider.environment, PUBLIC_URL: publicUrl, ...settings }
  const bridge = await startBridge({ environment })
  open.push(provider, bridge)
  await see(bridge, { id: 'usr_ada_l', email: 'ada@sign-in.example' })
  const browser = new TestBrowser()
  /** As the proxy does it, which takes the path prefix away. */
  const ask = (address: string, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(address, publicUrl)
    const { pathname: prefix } = new URL(publicUrl)
    const path = prefix === '/' ? pathname : pathname.slice(prefix.length)
    return browser.ask(`${bridge.listensAt}${path}${search}`, init)
  }
  return { provider, browser, ask }
}

it.each([
  ['https://calendars.example', '__Host-', '; Secure'],
  ['https://calendars.example/base', '__Host-', '; Secure'],
  ['http://calendars.example', '', ''],
])('%s', async (publicUrl, prefix, secure) => {
  const { browser, ask } = await start(publicUrl)
  const begun = await ask(`${publicUrl}/sign-in`)
  const back = await browser.ask(begun.headers.get('location') ?? '')
  const callback = back.headers.get('location') ?? ''
  expect(callback.startsWith(`${publicUrl}/sign-in/callback?`)).toBe(true)
  const signedIn = await ask(callback)
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, `${base}/me`])
  const [gone, session, ...more] = signedIn.headers.getSetCookie()
  const rest = `Path=/; Expires=[^;]+; HttpOnly${secure}; SameSite=Lax$`
  expect(gone).toMatch(new RegExp(`^${prefix}cfb_signing_in=; Max-Age=0; ${rest}`))
  expect(session).toMatch(
    new RegExp(`^${prefix}cfb_session=cfs_[\\w-]{43}; Max-Age=43200; ${rest}`),
  )
  expect(more).toEqual([])
  expect((await ask(`${publicUrl}/me`)).status).toBe(200)
  const headers = { Origin: new URL(publicUrl).origin }
  const out = await ask(`${publicUrl}/sign-out`, { method: 'POST', headers })
  expect(out.headers.get('location')).toBe(`${base}/`)
  expect(out.headers.getSetCookie()).toEqual([
    expect.stringMatching(new RegExp(`^${prefix}cfb_session=; Max-Age=0; ${rest}`)),
  ])
  expect((await ask(`${publicUrl}/me`)).headers.get('location')).toBe(`${base}/sign-in`)
})

it('with https, a session planted by another host under the plain cookie name is ignored', async () => {
  const { browser, ask } = await start('https://calendars.example')
  const begun = await ask('/sign-in')
  const back = await browser.ask(begun.headers.get('location') ?? '')
  const signedIn = await ask(back.headers.get('location') ?? '')
  const secret = /cfs_[\w-]{43}/.exec(signedIn.headers.getSetCookie().join())?.[0]
  const planted = { headers: { Cookie: `cfb_session=${secret}` } }
  expect((await ask('/me', planted)).status).toBe(303)
  const both = { headers: { Cookie: `__Host-cfb_session=${secret}; cfb_session=cfs_planted` } }
  expect((await ask('/me', both)).status).toBe(200)
})

it('the page of a refused sign-in sends no referrer', async () => {
  const { ask } = await start('http://calendars.example')
  const refused = await ask('/sign-in/callback?code=secret&state=secret')
  expect([refused.status, refused.headers.get('referrer-policy')]).toEqual([400, 'no-referrer'])
  expect(refused.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

it.each(['', '/', '/.well-known/openid-configuration'])(
  'the issuer can be set with any usual ending: …%s',
  async (end) => {
    const provider = await startRogueProvider()
    const OIDC_ISSUER = `${provider.issuer}${end}`
    const bridge = await startBridge({ environment: { ...provider.environment, OIDC_ISSUER } })
    open.push(provider, bridge)
    await see(bridge, { id: 'usr_ada_l', email: 'ada@sign-in.example' })
    const { url } = await new TestBrowser().follow(`${bridge.url}/sign-in`)
    expect(url.pathname).toBe('/me')
  },
)
