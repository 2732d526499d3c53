/* Signing in with a real OpenID provider, as browsers do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import {
  clientSecret,
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
  TestBrowser,
} from '../../support/web/identity-provider.ts'

const verified = { email_verified: true }
const accounts = {
  ada: { email: 'ADA@sign-in.example', ...verified },
  twin: { email: 'twin@sign-in.example', ...verified },
  left: { email: 'left@sign-in.example', ...verified },
  kelvin: { email: '\u212Aim@sign-in.example', ...verified },
  unverified: { email: 'ada@sign-in.example', email_verified: false },
  text: { email: 'ada@sign-in.example', email_verified: 'true' },
  silent: { email: 'ada@sign-in.example' },
  stranger: { email: 'stranger@sign-in.example', ...verified },
  nothing: {},
  boss: { email: 'boss@sign-in.example', ...verified, groups: ['other', 'hr-admins'] },
  helper: { email: 'helper@sign-in.example', ...verified, groups: 'hr-support' },
  both: { email: 'both@sign-in.example', ...verified, groups: ['hr-support', 'hr-admins'] },
  nearly: { email: 'nearly@sign-in.example', ...verified, groups: ['hr-admins-not'] },
}
const staffRules = {
  OIDC_ADMIN: 'groups=hr-admins',
  OIDC_SUPPORT: 'groups=hr-support',
}

describe.each([
  ['claims in userinfo alone', true],
  ['claims in the ID token', false],
])('%s', (_name, conformIdTokenClaims) => {
  const log: LogLine[] = []
  let provider: IdentityProvider
  let bridge: TestBridge

  beforeAll(async () => {
    provider = await startIdentityProvider(accounts, {
      environment: staffRules,
      configuration: { conformIdTokenClaims },
    })
    bridge = await startBridge({ environment: provider.environment, log: recordedLog(log) })
    await fillDirectory(bridge)
  })

  afterAll(async () => {
    await bridge.close()
    await provider.close()
  })

  it('the provider is not asked before the first sign-in and may be away until then', async () => {
    expect(provider.requests()).toBe(0)
    const away = await new TestBrowser().ask(`${bridge.url}/sign-in`)
    expect(away.status).toBe(502)
    expect(away.headers.get('retry-after')).toBe('30')
    expect(await away.text()).toContain('Sign-in does not work right now')
    provider.register(bridge.url)
  })

  it('a person signs in', async () => {
    const browser = new TestBrowser()
    const { url, response } = await signInThrough(browser, bridge.url, 'ada')
    expect([url.href, response.status < 500]).toEqual([`${bridge.url}/me`, true])
    expect([...browser.jar(bridge.url).keys()]).toEqual(['cfb_session'])
    expect(log).toContainEqual({
      level: 'info',
      event: 'signed_in',
      data: { company: 'main', users: ['usr_signs_in'] },
    })
    expect(log.filter(({ event }) => event === 'staff_signed_in')).toEqual([])
  })

  it.each([
    ['boss', 'admin', '/console'],
    ['helper', 'support', '/console'],
    ['both', 'admin', '/me'],
  ])('the account %s signs in as staff: %s', async (account, role, page) => {
    const browser = new TestBrowser()
    const { url } = await signInThrough(browser, bridge.url, account)
    expect(url.href).toBe(`${bridge.url}${page}`)
    const home = await browser.ask(`${bridge.url}/console`)
    expect(home.status).toBe(200)
    expect(home.headers.get('referrer-policy')).toBe('same-origin')
    const text = await home.text()
    expect(text).toContain(
      `Signed in as ${account}@sign-in.example · ${role === 'admin' ? 'Admin' : 'Support'}`,
    )
    expect(text.includes('href="/me"')).toBe(page === '/me')
    const actor = `staff:${account}@sign-in.example`
    expect(log).toContainEqual({ level: 'info', event: 'staff_signed_in', data: { actor } })
    const entries = await audited(bridge, 'staff_signed_in')
    expect(entries.filter((entry) => entry.actor === actor)).toHaveLength(1)
  })

  it.each([
    ['stranger', 403, 'Unknown email address'],
    ['twin', 403, 'Several people have this email address'],
    ['left', 403, 'This account belongs to somebody who has left'],
    ['kelvin', 403, 'Unknown email address'],
    ['unverified', 403, 'Your email address is not confirmed'],
    ['text', 403, 'Your email address is not confirmed'],
    ['silent', 403, 'Your email address is not confirmed'],
    ['nothing', 403, 'Your account has no email address'],
    ['nearly', 403, 'Unknown email address'],
  ])('the account %s is refused', async (account, status, words) => {
    const browser = new TestBrowser()
    const { url, response } = await signInThrough(browser, bridge.url, account)
    expect(url.pathname).toBe('/sign-in/callback')
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(words)
    expect([...browser.jar(bridge.url).keys()]).toEqual(['cfb_signing_in'])
    expect(log.at(-1)).toMatchObject({ level: 'warn', event: 'sign_in_refused' })
  })

  it('no secret and no address is logged', () => {
    const text = JSON.stringify(log)
    for (const secret of [clientSecret, 'cfs_', 'code=', 'eyJ', 'stranger', 'twin', 'ada@']) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
    }
  })
})

async function fillDirectory(bridge: TestBridge): Promise<void> {
  const { store } = await bridge.node()
  const people = [
    ['usr_signs_in', 'ada@SIGN-IN.example', 'active'],
    ['usr_both', 'both@sign-in.example', 'active'],
    ['usr_twin_1', 'twin@sign-in.example', 'active'],
    ['usr_twin_2', 'Twin@sign-in.example', 'active'],
    ['usr_left', 'left@sign-in.example', 'user_inactive'],
    ['usr_kim', 'kim@sign-in.example', 'active'],
  ] as const
  await store.people.seePeople(
    'main',
    people.map(([id]) => ({ id })),
    1,
  )
  for (const [userId, email, state] of people) {
    const user = { id: userId, firstName: 'A', lastName: 'B', email }
    await store.people.keepReading(
      'main',
      { userId, state, user, readAt: 2 },
      Number.MAX_SAFE_INTEGER,
    )
  }
}

async function audited(bridge: TestBridge, action: 'staff_signed_in' | 'staff_signed_out') {
  const { access } = await bridge.node()
  return access.audit.listEntries({ actions: [action], limit: 100 })
}
