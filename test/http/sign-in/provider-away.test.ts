/* A provider that is down, slow or mad stops nobody's feed, and is asked again as soon as it may be well. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'

import { afterEach, expect, it } from 'vitest'

import { startBridge } from '../../support/bridge/bridge.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { clientId, TestBrowser } from '../../support/web/identity-provider.ts'
import { type Lies, startRogueProvider } from '../../support/web/rogue-provider.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function start(environment: Readonly<Record<string, string>> = {}) {
  const log: LogLine[] = []
  const clock = createFakeClock(Date.now())
  const provider = await startRogueProvider()
  const bridge = await startBridge({
    environment: { ...provider.environment, ...environment },
    log: recordedLog(log),
    clock,
  })
  open.push(provider, bridge)
  return { log, clock, provider, bridge }
}

const html = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>')
}
const json = (body: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
const configuration = '/.well-known/openid-configuration'

it('a provider that answers nonsense is named as the cause and works again once it recovers', async () => {
  const { log, provider, bridge } = await start()
  const mad: [Lies, string][] = [
    [{ answers: { [configuration]: html(500) } }, 'provider_wrong'],
    [{ answers: { [configuration]: html(200) } }, 'provider_wrong'],
    [{ answers: { [configuration]: json([]) } }, 'provider_wrong'],
    [{ answers: { [configuration]: json({ issuer: 7 }) } }, 'provider_wrong'],
    [{ answers: { [configuration]: json('x'.repeat(2_000_000)) } }, 'provider_wrong'],
    [{ answers: { [configuration]: (response) => response.destroy() } }, 'provider_away'],
    [{ metadata: { issuer: 'https://other.example' } }, 'set_up_wrong'],
    [{ metadata: { authorization_endpoint: undefined } }, 'provider_wrong'],
  ]
  for (const [lies, reason] of mad) {
    provider.lie(lies)
    const answer = await new TestBrowser().ask(`${bridge.url}/sign-in`)
    expect([reason, answer.status]).toEqual([reason, reason === 'provider_away' ? 503 : 502])
    expect(answer.headers.has('retry-after')).toBe(reason !== 'set_up_wrong')
    expect(log.at(-1)).toMatchObject({ event: 'sign_in_refused', data: { reason } })
  }
  provider.lie({})
  expect((await new TestBrowser().ask(`${bridge.url}/sign-in`)).status).toBe(303)
})

it.each(['/token', '/keys'] as const)(
  'a provider that answers nonsense at %s is named as the cause',
  async (path) => {
    const { log, provider, bridge } = await start()
    const mad: [(response: ServerResponse) => void, string, number][] = [
      [html(500), 'provider_wrong', 502],
      [html(200), 'provider_wrong', 502],
      [(response) => response.destroy(), 'provider_away', 503],
    ]
    for (const [answer, reason, status] of mad) {
      provider.lie({ answers: { [path]: answer } })
      const { response } = await new TestBrowser().follow(`${bridge.url}/sign-in`)
      expect([response.status, log.at(-1)?.data]).toEqual([
        status,
        expect.objectContaining({ reason }),
      ])
    }
  },
)

it('a client unknown to the provider is a fault for IT to fix', async () => {
  const { log, provider, bridge } = await start()
  const refuse = (response: ServerResponse): void => {
    response.writeHead(401, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error: 'invalid_client' }))
  }
  provider.lie({ answers: { '/token': refuse } })
  const { response } = await new TestBrowser().follow(`${bridge.url}/sign-in`)
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('Sign-in is not set up correctly')
  expect(log.at(-1)?.data).toEqual({
    reason: 'set_up_wrong',
    what: 'invalid_client',
    mend: 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be those that the provider knows.',
  })
})

it('an unreachable provider is reported in the browser’s language, and calendars keep working', async () => {
  const { provider, bridge, log } = await start()
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  await provider.close()
  const headers = { 'Accept-Language': 'de' }
  const answer = await new TestBrowser().ask(`${bridge.url}/sign-in`, { headers })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
  expect(await answer.text()).toContain('Der Anmeldedienst antwortet nicht')
  expect(log.at(-1)?.data).toEqual({ reason: 'provider_away', what: 'ECONNREFUSED' })
  expect((await fetch(feed.links[0]?.url ?? '')).status).toBe(200)
})

it('the configuration of the provider is fetched once an hour', async () => {
  const { clock, provider, bridge } = await start()
  const begin = () => new TestBrowser().ask(`${bridge.url}/sign-in`)
  await Promise.all([begin(), begin(), begin()])
  await clock.advance(3_599_999)
  await begin()
  expect(provider.asked.get(configuration)).toBe(1)
  await clock.advance(1)
  await begin()
  expect(provider.asked.get(configuration)).toBe(2)
})

it('an address that asks too often gets 429, and the provider is not asked', async () => {
  const { provider, bridge } = await start()
  const ask = () => new TestBrowser().ask(`${bridge.url}/sign-in`)
  for (let times = 0; times < 240; times += 1) expect((await ask()).status).toBe(303)
  const limited = await ask()
  expect(limited.status).toBe(429)
  expect(limited.headers.has('retry-after')).toBe(true)
  expect((await new TestBrowser().ask(`${bridge.url}/sign-in/callback`)).status).toBe(429)
  expect(provider.asked.get(configuration)).toBe(1)
})

it('sign-in uses the configured proxy', async () => {
  const proxied: string[] = []
  const proxy = createServer((socket) => {
    socket.once('data', (bytes) => {
      proxied.push(bytes.toString('latin1').split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const bridge = await startBridge({
    environment: {
      OIDC_ISSUER: 'https://identity.example',
      OIDC_CLIENT_ID: clientId,
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
    },
  })
  open.push(bridge)
  const answer = await new TestBrowser().ask(`${bridge.url}/sign-in`)
  expect(answer.status).toBe(503)
  expect(proxied[0]).toMatch(/identity\.example/)
  proxy.close()
})
