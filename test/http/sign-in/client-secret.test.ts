/* How the bridge shows its secret: nothing publishes in which way it is registered, so that the first sign-ins find it out. */
import { afterEach, expect, it } from 'vitest'

import { see } from '../../support/adversary/seen-people.ts'
import { startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { TestBrowser } from '../../support/web/identity-provider.ts'
import {
  type Lies,
  type RogueProvider,
  startRogueProvider,
} from '../../support/web/rogue-provider.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function start(lies: Lies) {
  const log: LogLine[] = []
  const provider = await startRogueProvider()
  const bridge = await startBridge({ environment: provider.environment, log: recordedLog(log) })
  open.push(provider, bridge)
  await see(bridge, { id: 'usr_ada_l', email: 'ada@sign-in.example' })
  provider.lie(lies)
  return { provider, bridge, log }
}

/** So many come back from the provider at the same moment; where each is led to. */
async function signInAtOnce(
  bridge: TestBridge,
  provider: RogueProvider,
  count: number,
): Promise<readonly string[]> {
  const stopsAt = (url: URL): boolean => url.pathname === '/sign-in/callback'
  const browsers = Array.from({ length: count }, () => new TestBrowser())
  const back = []
  for (const browser of browsers) {
    const { url } = await browser.follow(`${bridge.url}/sign-in`, { stopsAt })
    back.push({ browser, url })
  }
  expect(provider.authorized()).toHaveProperty('code_challenge')
  const answers = await Promise.all(back.map(({ browser, url }) => browser.ask(url)))
  return answers.map(({ headers, status }) => headers.get('location') ?? String(status))
}

const either = ['client_secret_post', 'client_secret_basic']

it.each<['header' | 'body', readonly string[] | undefined]>([
  ['header', either],
  ['body', either],
  ['body', undefined],
  ['header', undefined],
])(
  'the first sign-ins all succeed, wherever the provider takes the secret: %s of %j',
  async (takesSecretIn, listed) => {
    const metadata = { token_endpoint_auth_methods_supported: listed }
    const { provider, bridge } = await start({ takesSecretIn, metadata })
    for (const count of [5, 4, 1]) {
      expect(await signInAtOnce(bridge, provider, count)).toEqual(Array(count).fill('/me'))
    }
    const before = provider.asked.get('/token') ?? 0
    await signInAtOnce(bridge, provider, 3)
    expect(provider.asked.get('/token')).toBe(before + 3)
  },
)

it('a wrong secret fails either way and is reported as wrong', async () => {
  const metadata = { token_endpoint_auth_methods_supported: either }
  const { provider, bridge, log } = await start({ takesSecretIn: 'nowhere', metadata })
  expect(await signInAtOnce(bridge, provider, 3)).toEqual(['502', '502', '502'])
  expect(log.at(-1)?.data).toMatchObject({ reason: 'set_up_wrong', what: 'invalid_client' })
  provider.lie({ metadata })
  expect(await signInAtOnce(bridge, provider, 2)).toEqual(['/me', '/me'])
})
