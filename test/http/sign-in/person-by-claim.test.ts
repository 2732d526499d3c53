/* People who are known by a claim that holds their user id, of a provider that knows the bridge as a public client. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { see } from '../../support/adversary/seen-people.ts'
import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import {
  clientId,
  type IdentityProvider,
  signInThrough,
  startIdentityProvider,
  TestBrowser,
} from '../../support/web/identity-provider.ts'
import {
  type Lies,
  type RogueProvider,
  startRogueProvider,
} from '../../support/web/rogue-provider.ts'

const log: LogLine[] = []
const settings = {
  OIDC_PERSON: 'claim:employee_id',
  OIDC_ADMIN: 'groups=hr-admins',
  OIDC_CLIENT_SECRET: '',
}
let provider: IdentityProvider
let rogue: RogueProvider
let bridge: TestBridge
let rogueBridge: TestBridge

beforeAll(async () => {
  const accounts = {
    ada: { employee_id: 'usr_7' },
    // Whom the address would name, and the id does not.
    bob: { employee_id: 'usr_8', email: 'ada@sign-in.example', email_verified: true },
    boss: { groups: ['hr-admins'] },
  }
  provider = await startIdentityProvider(accounts, {
    environment: settings,
    client: { client_secret: undefined, token_endpoint_auth_method: 'none' },
  })
  rogue = await startRogueProvider(settings)
  bridge = await startBridge({ environment: provider.environment })
  rogueBridge = await startBridge({ environment: rogue.environment, log: recordedLog(log) })
  provider.register(bridge.url)
  for (const one of [bridge, rogueBridge]) {
    await see(one, { id: 'usr_7', email: 'ada@sign-in.example' }, { id: '42' }, { id: '007' })
  }
})

afterAll(async () => {
  for (const one of [bridge, rogueBridge, provider, rogue]) await one.close()
})

it.each([
  ['ada', '/me', 200],
  ['boss', '/console', 200],
  ['bob', '/sign-in/callback', 403],
])('a public client signs in with PKCE alone: %s', async (account, page, status) => {
  const { url, response } = await signInThrough(new TestBrowser(), bridge.url, account)
  expect([url.pathname, response.status]).toEqual([page, status])
})

it('needed claims are requested by scope and by name, where the provider supports either', async () => {
  const { headers } = await new TestBrowser().ask(`${bridge.url}/sign-in`)
  const { searchParams } = new URL(headers.get('location') ?? '')
  expect(searchParams.get('scope')).toBe('openid email profile employee_id groups')
  const names = { employee_id: null, groups: null }
  const claims = JSON.parse(searchParams.get('claims') ?? '')
  expect(claims).toEqual({ id_token: names, userinfo: names })
  await new TestBrowser().follow(`${rogueBridge.url}/sign-in`)
  expect(rogue.authorized()).toMatchObject({ scope: 'openid email profile', client_id: clientId })
  expect(rogue.authorized()).not.toHaveProperty('claims')
})

async function signIn(lies: Lies): Promise<unknown> {
  rogue.lie({ metadata: { token_endpoint_auth_methods_supported: ['none'] }, ...lies })
  const { url } = await new TestBrowser().follow(`${rogueBridge.url}/sign-in`)
  const data: Readonly<Record<string, unknown>> = { ...log.at(-1)?.data }
  return data[url.pathname === '/me' ? 'users' : 'reason']
}

it.each<[string, unknown, unknown]>([
  ['a text', 'usr_7', ['usr_7']],
  ['a number', 42, ['42']],
  ['digits', '42', ['42']],
  ['digits with zeros in front', '007', ['007']],
  ['a number that is another’s id without its zeros', 7, 'unknown_id'],
  ['another case', 'USR_7', 'unknown_id'],
  ['a space behind', 'usr_7 ', 'unknown_id'],
  ['another letter of the same look', 'u\u0455r_7', 'unknown_id'],
  ['a NUL behind', 'usr_7\0', 'unknown_id'],
  ['half a character', '\ud800', 'unknown_id'],
  ['a pattern', 'usr%', 'unknown_id'],
  ['very long', 'x'.repeat(100_000), 'unknown_id'],
  ['a list of one', ['usr_7'], 'no_id'],
  ['something within', { id: 'usr_7' }, 'no_id'],
  ['empty', '', 'no_id'],
  ['a truth', true, 'no_id'],
  ['a fraction', 42.5, 'no_id'],
  ['a number that no program holds exactly', 2 ** 60, 'no_id'],
  ['null', null, 'no_id'],
  ['nothing', undefined, 'no_id'],
])('%s', async (_name, id, outcome) => {
  expect(await signIn({ idToken: { employee_id: id } })).toEqual(outcome)
})

it.each<[string, Lies, unknown]>([
  ['in userinfo alone', { userinfo: { employee_id: 'usr_7' } }, ['usr_7']],
  [
    'in both, of which the signed one counts',
    { idToken: { employee_id: 'usr_7' }, userinfo: { employee_id: '42' } },
    ['usr_7'],
  ],
  [
    'of an object’s own kind',
    { idToken: JSON.parse('{"__proto__": {"employee_id": "42"}}') },
    'no_id',
  ],
  ['told only as a path', { idToken: { 'employee_id.id': 'usr_7' } }, 'no_id'],
])('%s', async (_name, lies, outcome) => {
  expect(await signIn(lies)).toEqual(outcome)
})
