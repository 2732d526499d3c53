/* Every lie of a provider that is not in the other files: nobody is signed in, the page has words of its own, nobody else is asked. */
import type { ServerResponse } from 'node:http'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { SignInRefusal } from '../../../src/access/sign-in/provider.ts'
import { see } from '../../support/adversary/seen-people.ts'
import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { clientId, type Followed, TestBrowser } from '../../support/web/identity-provider.ts'
import {
  type Lies,
  type RogueProvider,
  startRogueProvider,
} from '../../support/web/rogue-provider.ts'

const clock = createFakeClock(Date.now())
const log: LogLine[] = []
const script = '<script>alert("provider")</script>'
const configuration = '/.well-known/openid-configuration'
let provider: RogueProvider
let bridge: TestBridge

beforeAll(async () => {
  provider = await startRogueProvider({ OIDC_ADMIN: 'groups=hr-admins' })
  bridge = await startBridge({ environment: provider.environment, clock, log: recordedLog(log) })
  await see(bridge, { id: 'usr_ada_l', email: 'ada@sign-in.example' })
})

afterAll(async () => {
  await bridge.close()
  await provider.close()
})

/** What it publishes is asked for again each time. */
async function signIn(lies: Lies): Promise<Followed> {
  await clock.advance(3_600_000)
  provider.lie(lies)
  return new TestBrowser().follow(`${bridge.url}/sign-in`)
}

const seconds = (later: number): number => Math.floor(Date.now() / 1000) + later
const json =
  (body: unknown, status = 200, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
const elsewhere = (response: ServerResponse): void => {
  response.writeHead(307, { Location: `${provider.issuer}/internal` }).end()
}
const key = { kid: 'key-1', alg: 'RS256', use: 'sig' }
const large = { keys: [], more: 'x'.repeat(2_000_000) }
const many = Array.from({ length: 5000 }, (_, index) => ({ ...key, kid: `other-${index}` }))
/** Only then is userinfo asked for an address. */
const askingUserinfo = { idToken: { email: undefined } }

type Case = readonly [name: string, lies: Lies]

const lies: Partial<Record<SignInRefusal, readonly Case[]>> = {
  answer_wrong: [
    ['made for another client', { idToken: { azp: 'another-client' } }],
    ['of another client among ours', { idToken: { aud: [clientId, 'x'], azp: 'x' } }],
    ['for several without saying for whom', { idToken: { aud: [clientId, 'x'] } }],
    ['not valid yet', { idToken: { nbf: seconds(3600) } }],
    ['valid in ninety seconds', { idToken: { nbf: seconds(90) } }],
    ['over for ninety seconds', { idToken: { exp: seconds(-90) } }],
    ['over at a time that is text', { idToken: { exp: String(seconds(300)) } }],
    ...['exp', 'iat', 'sub', 'aud', 'iss'].map((name): Case => {
      return [`without ${name}`, { idToken: { [name]: undefined } }]
    }),
    ['of nobody', { idToken: { sub: '' } }],
    ['of a number', { idToken: { sub: 7 } }],
    ['HS256 with the public key as secret', { alg: 'HS256', hmacOf: 'public key' }],
    ['none alone', { alg: 'none', metadata: { id_token_signing_alg_values_supported: ['none'] } }],
    ['HS alone', { alg: 'HS256', metadata: { id_token_signing_alg_values_supported: ['HS256'] } }],
    ['encrypted', { tokens: { id_token: 'a.b.c.d.e' } }],
    ...['abc', 7, null, undefined].map((text): Case => [`${text}`, { tokens: { id_token: text } }]),
    ['no access token', { tokens: { access_token: undefined } }],
    ['a success that is an error', { answers: { '/token': json({ error: script }) } }],
    ['no keys', { answers: { '/keys': json({ keys: [] }) } }],
    ['thousands of other keys', { answers: { '/keys': json({ keys: many }) } }],
    ['keys that are none', { answers: { '/keys': json({ keys: [script] }) } }],
    ['a key that is a secret', { answers: { '/keys': json({ keys: [{ ...key, kty: 'oct' }] }) } }],
    ['userinfo of nobody', { ...askingUserinfo, answers: { '/userinfo': json({}) } }],
    ['no code', { answer: { code: null } }],
    ['an empty code', { answer: { code: '' } }],
    ['an answer as a token', { answer: { response: 'a.b.c' } }],
    ['a token that was not asked for', { answer: { id_token: 'a.b.c' } }],
  ],
  provider_wrong: [
    ...['/token', '/keys', '/userinfo', configuration].map((path): Case => {
      return [`${path} leads elsewhere`, { ...askingUserinfo, answers: { [path]: elsewhere } }]
    }),
    ['a large token', { answers: { '/token': json(large) } }],
    ['large keys', { answers: { '/keys': json(large) } }],
    ['a key without number', { answers: { '/keys': json({ keys: [{ ...key, kty: 'RSA' }] }) } }],
    ['userinfo that fails', { ...askingUserinfo, answers: { '/userinfo': json({}, 500) } }],
    [
      'userinfo that refuses',
      {
        ...askingUserinfo,
        answers: { '/userinfo': json({}, 401, { 'WWW-Authenticate': `Bearer error="${script}"` }) },
      },
    ],
    ...['authorization_endpoint', 'token_endpoint', 'jwks_uri'].flatMap((name) =>
      ['file:///etc/passwd', 'data:text/html,x', 'javascript:alert(1)', 7, null].map((at): Case => {
        return [`${name} ${at}`, { metadata: { [name]: at } }]
      }),
    ),
  ],
  provider_away: [
    ['asked too often', { answers: { '/token': json({ error: 'slow_down' }, 429) } }],
  ],
  code_refused: [
    [
      'a code that is refused in so many words',
      { answers: { '/token': json({ error: 'invalid_grant', error_description: script }, 400) } },
    ],
  ],
  set_up_wrong: [
    ['another refusal', { answers: { '/token': json({ error: script }, 400) } }],
    ['of another provider', { metadata: { issuer: 'https://login.evil.example' } }],
  ],
  cancelled: [
    [
      'no, in so many words',
      { answer: { code: null, error: 'access_denied', error_description: script } },
    ],
    ['no, and yes', { answer: { error: 'access_denied' } }],
  ],
}

const statuses: Partial<Record<string, number>> = {
  answer_wrong: 400,
  code_refused: 400,
  cancelled: 403,
  provider_away: 503,
}

describe.each(Object.entries(lies))('%s', (reason, cases) => {
  it.each(cases)('%s', async (_name, told) => {
    const { response } = await signIn(told)
    const page = await response.text()
    expect([log.at(-1)?.event, log.at(-1)?.data]).toEqual([
      'sign_in_refused',
      expect.objectContaining({ reason }),
    ])
    expect(response.status).toBe(statuses[reason] ?? 502)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.getSetCookie().join()).not.toContain('cfb_session=cfs_')
    expect(page + JSON.stringify(log.at(-1))).not.toMatch(/alert|passwd|evil/)
    expect(provider.asked.has('/internal')).toBe(false)
  })
})

it.each<[string, Lies]>([
  ['for us among others', { idToken: { aud: [clientId, 'x'], azp: clientId } }],
  ['valid in fifty seconds', { idToken: { nbf: seconds(50) } }],
  ['over for fifty seconds', { idToken: { exp: seconds(-50) } }],
  ['lists that are none', { metadata: { scopes_supported: 7, claims_parameter_supported: 'no' } }],
  ['lists that are null', { metadata: { token_endpoint_auth_methods_supported: null } }],
])('%s is no lie, and people can sign in after one', async (_name, told) => {
  expect((await signIn(told)).url.pathname).toBe('/me')
})

it('a difference between the clocks is logged', async () => {
  await signIn({ idToken: { nbf: seconds(90) } })
  const mend = 'The clocks of this machine and of the provider must agree within a minute.'
  expect(log.at(-1)?.data).toMatchObject({ mend })
})

it('userinfo that refuses does not change how the client shows its secret', async () => {
  const metadata = { token_endpoint_auth_methods_supported: undefined }
  const answers = { '/userinfo': json({}, 401, { 'WWW-Authenticate': 'Bearer' }) }
  const before = provider.asked.get('/token') ?? 0
  await signIn({ ...askingUserinfo, metadata, answers })
  expect(provider.asked.get('/token')).toBe(before + 1)
})
