/* Whatever a provider, or somebody in between, answers: nobody is signed in by what does not check out. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { clientSecret, type Followed, TestBrowser } from '../../support/web/identity-provider.ts'
import {
  type Lies,
  type RogueProvider,
  startRogueProvider,
} from '../../support/web/rogue-provider.ts'

const clock = createFakeClock(Date.now())
const log: LogLine[] = []
let provider: RogueProvider
let bridge: TestBridge

beforeAll(async () => {
  provider = await startRogueProvider({
    OIDC_ADMIN: 'groups=7',
    OIDC_SUPPORT: 'email=helper@example.com',
  })
  const { environment } = provider
  bridge = await startBridge({ environment, clock, log: recordedLog(log) })
  const { store } = await bridge.node()
  const user = { id: 'usr_ada_l', firstName: 'A', lastName: 'B', email: 'ada@sign-in.example' }
  await store.people.seePeople('main', [user], 1)
  const reading = { userId: user.id, state: 'active', user, readAt: 2 } as const
  await store.people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
})

afterAll(async () => {
  await bridge.close()
  await provider.close()
})

// The limit of sign-ins counts by minutes; keys are asked for again at most once in one.
beforeEach(async () => {
  provider.lie({})
  await clock.advance(61_000)
})

afterEach(() => {
  vi.useRealTimers()
})

function signIn(lies: Lies = {}, browser = new TestBrowser()): Promise<Followed> {
  provider.lie(lies)
  return browser.follow(`${bridge.url}/sign-in`)
}

async function wasRefused({ response }: Followed, status: number, reason: string): Promise<void> {
  expect([response.status, log.at(-1)?.event]).toEqual([status, 'sign_in_refused'])
  expect(log.at(-1)?.data).toMatchObject({ reason })
  expect(response.headers.getSetCookie().join()).not.toContain('cfb_session=cfs_')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
}

const isSignedIn = ({ url }: Followed): boolean => url.pathname === '/me'

it('an honest provider works, and each request has a fresh state, nonce and challenge', async () => {
  const browser = new TestBrowser()
  expect(isSignedIn(await signIn({}, browser))).toBe(true)
  const first = provider.authorized()
  expect(first).toMatchObject({
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    redirect_uri: `${bridge.url}/sign-in/callback`,
  })
  expect(isSignedIn(await signIn({}, browser))).toBe(true)
  const second = provider.authorized()
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(first[name]).toMatch(/^[\w.-]{43,}$/)
    expect(second[name]).not.toBe(first[name])
  }
})

const past = Math.floor(Date.now() / 1000) - 3600

describe('answers that do not check out', () => {
  it.each<[string, Lies]>([
    ['another nonce', { idToken: { nonce: 'another' } }],
    ['no nonce', { idToken: { nonce: undefined } }],
    ['another issuer in the ID token', { idToken: { iss: 'https://other.example' } }],
    ['another issuer in the answer', { answer: { iss: 'https://other.example' } }],
    ['no issuer in the answer, though announced', { answer: { iss: null } }],
    ['another audience', { idToken: { aud: 'another-client' } }],
    ['an expired ID token', { idToken: { exp: past, iat: past - 60 } }],
    ['alg none', { alg: 'none' }],
    ['HS256 with the secret of the client', { alg: 'HS256' }],
    ['a signature of another key', { withForeignKey: true }],
    ['userinfo of somebody else', { idToken: { email: undefined }, userinfo: { sub: 'eve' } }],
  ])('%s', async (_name, lies) => {
    await wasRefused(await signIn(lies), 400, 'answer_wrong')
    expect(isSignedIn(await signIn())).toBe(true)
  })

  it.each<[string, Lies]>([
    ['another state', { answer: { state: 'another' } }],
    ['no state', { answer: { state: null } }],
  ])('%s', async (_name, lies) => {
    await wasRefused(await signIn(lies), 400, 'not_begun_here')
  })

  it.each<[string, string, number, string]>([
    ['somebody who cancels', 'access_denied', 403, 'cancelled'],
    ['a provider that is busy', 'temporarily_unavailable', 503, 'provider_away'],
    ['a client that may not', 'unauthorized_client', 502, 'set_up_wrong'],
    ['a scope that is not allowed', 'invalid_scope', 502, 'set_up_wrong'],
    ['any other refusal', 'Some <b>text</b>', 502, 'set_up_wrong'],
  ])('%s', async (_name, error, status, reason) => {
    await wasRefused(await signIn({ answer: { code: null, error } }), status, reason)
    expect(JSON.stringify(log.at(-1))).not.toContain('<b>')
  })
})

describe('the way back from the provider', () => {
  async function callback(browser: TestBrowser): Promise<URL> {
    provider.lie({})
    const stopsAt = (url: URL): boolean => url.pathname === '/sign-in/callback'
    return (await browser.follow(`${bridge.url}/sign-in`, { stopsAt })).url
  }

  it('the way back works only in the browser that began it', async () => {
    const url = await callback(new TestBrowser())
    const other = new TestBrowser()
    await wasRefused(await other.follow(url), 400, 'not_begun_here')
    await callback(other)
    await wasRefused(await other.follow(url), 400, 'not_begun_here')
  })

  it('the way back works in several tabs, each with its own', async () => {
    const browser = new TestBrowser()
    const [one, two] = [await callback(browser), await callback(browser)]
    two.searchParams.set('code', one.searchParams.get('code') ?? '')
    await wasRefused(await browser.follow(two), 400, 'answer_wrong')
    expect(isSignedIn(await browser.follow(await callback(browser)))).toBe(true)
  })

  it('the way back works once', async () => {
    const browser = new TestBrowser()
    const url = await callback(browser)
    const kept = browser.cookies(bridge.url)
    expect(isSignedIn(await browser.follow(url))).toBe(true)
    await wasRefused(await browser.follow(url), 400, 'not_begun_here')
    const init = { headers: { Cookie: kept } }
    await wasRefused(await browser.follow(url, { init }), 400, 'code_refused')
  })

  it.each<[string, RequestInit, number]>([
    ['HEAD', { method: 'HEAD' }, 405],
    ['prefetch', { headers: { 'Sec-Purpose': 'prefetch' } }, 503],
    ['prerender', { headers: { 'Sec-Purpose': 'prefetch;prerender' } }, 503],
    ['prefetch of old', { headers: { Purpose: 'prefetch' } }, 503],
  ])('the way back is not used up by a background request: %s', async (_name, init, status) => {
    const browser = new TestBrowser()
    const url = await callback(browser)
    const asked = new Map(provider.asked)
    for (const address of [url, `${bridge.url}/sign-in`]) {
      const answer = await browser.ask(address, init)
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([status, []])
    }
    expect(provider.asked).toEqual(asked)
    expect(isSignedIn(await browser.follow(url))).toBe(true)
  })

  it('the way back is open for ten minutes', async () => {
    const [inTime, late] = [new TestBrowser(), new TestBrowser()]
    const urls = [await callback(inTime), await callback(late)] as const
    await clock.advance(600_000)
    expect(isSignedIn(await inTime.follow(urls[0]))).toBe(true)
    await clock.advance(1)
    await wasRefused(await late.follow(urls[1]), 400, 'not_begun_here')
  })

  it.each(['//evil.example', 'https://evil.example'])(
    'the way back never redirects to another site: %s',
    async (there) => {
      const browser = new TestBrowser()
      const query = new URLSearchParams({
        next: there,
        redirect_uri: there,
        return_to: there,
        again: there,
      })
      const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
      const begun = await browser.ask(`${bridge.url}/sign-in?${query.toString()}`, { headers })
      const asked = new URL(begun.headers.get('location') ?? '')
      expect(asked.origin).toBe(provider.issuer)
      expect(asked.searchParams.get('redirect_uri')).toBe(`${bridge.url}/sign-in/callback`)
      const back = await browser.ask(asked)
      const url = new URL(back.headers.get('location') ?? '')
      for (const name of ['next', 'return_to']) url.searchParams.set(name, there)
      const { headers: answer } = await browser.ask(url)
      expect(answer.get('location')).toBe('/me')
    },
  )
})

describe('keys', () => {
  it('unknown keys are fetched again once, a minute after the last fetch, whoever asks', async () => {
    await signIn()
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] })
    await clock.advance(61_000)
    await provider.rotateKeys()
    const before = provider.asked.get('/keys') ?? 0
    expect(isSignedIn(await signIn())).toBe(true)
    for (const _ of [1, 2]) await signIn({ header: { kid: 'never-published' } })
    expect(provider.asked.get('/keys')).toBe(before + 1)
  })
})

it('the source that gives the address must also say that it is verified', async () => {
  const idToken = { email: undefined, email_verified: true }
  const other = { email: 'ada@sign-in.example' }
  await wasRefused(await signIn({ idToken, userinfo: other }), 403, 'unverified_mail')
  expect(isSignedIn(await signIn({ idToken, userinfo: { ...other, email_verified: true } }))).toBe(
    true,
  )
})

it.each<[string, Record<string, unknown>, boolean]>([
  ['not verified', { email_verified: false }, false],
  ['of which nothing is said', { email_verified: undefined }, false],
  ['verified by a text', { email_verified: 'true' }, false],
  ['among others', { email: ['helper@example.com'] }, false],
  ['verified', {}, true],
])(
  'an address makes somebody staff only if it is certainly theirs: %s',
  async (_, claims, isStaff) => {
    const idToken = { email: 'Helper@Example.com', ...claims }
    const { url } = await signIn({ idToken })
    expect(url.pathname).toBe(isStaff ? '/console' : '/sign-in/callback')
  },
)

it.each<[unknown, boolean]>([
  ['7', true],
  [7, true],
  [[3, 7], true],
  [[[7]], false],
  ['3,7', false],
  ['3 7', false],
  [{ 7: true }, false],
  [7.5, false],
])(
  'a claim makes somebody staff if it is the value or contains it: %j',
  async (groups, isStaff) => {
    const { url } = await signIn({ idToken: { email: 'chief@example.com', groups } })
    expect(url.pathname).toBe(isStaff ? '/console' : '/sign-in/callback')
  },
)

it('a code of 8,000 characters is passed on', async () => {
  await wasRefused(await signIn({ answer: { code: 'c'.repeat(8000) } }), 400, 'code_refused')
})

it('groups that the provider leaves out are named as the cause', async () => {
  const idToken = { email: 'boss@sign-in.example', _claim_names: { groups: 'src1' } }
  await wasRefused(await signIn({ idToken }), 403, 'groups_left_out')
  expect(log.some(({ event }) => event === 'groups_left_out')).toBe(true)
})

it('no secret is logged', () => {
  const text = JSON.stringify(log)
  expect(log.length).toBeGreaterThan(30)
  for (const secret of [...provider.secrets, clientSecret, 'cfs_', '@sign-in.example']) {
    expect(text).not.toContain(secret)
  }
})
