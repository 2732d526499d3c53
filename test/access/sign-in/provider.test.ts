import { expect, it } from 'vitest'

import { Provider } from '../../../src/access/sign-in/provider.ts'
import { createPlainFetch } from '../../../src/transport/http.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { startRogueProvider } from '../../support/web/rogue-provider.ts'

it('A hanging provider is given up after one shared request, and the next call asks again', async () => {
  const rogue = await startRogueProvider()
  const path = '/.well-known/openid-configuration'
  const provider = new Provider({
    issuer: rogue.issuer,
    clientId: 'bridge',
    clientSecret: undefined,
    fetch: createPlainFetch({}),
    clock: createFakeClock(),
    timeoutMs: 1000,
  })
  rogue.lie({ answers: { [path]: () => undefined } })
  const fault = { reason: 'provider_away', what: 'OAUTH_TIMEOUT', code: 'upstream_unavailable' }
  const waiting = [provider.configuration(), provider.configuration()]
  for (const one of waiting) await expect(one).rejects.toMatchObject(fault)
  expect(rogue.asked.get(path)).toBe(1)
  rogue.lie({})
  expect((await provider.configuration()).serverMetadata().issuer).toBe(rogue.issuer)
  await rogue.close()
})

it('A provider for all tenants is refused, although the library would accept its tokens', async () => {
  const asked: string[] = []
  const of = (issuer: string): Provider => {
    const at = 'https://login.microsoftonline.com/common'
    const endpoints = { authorization_endpoint: at, token_endpoint: at, jwks_uri: at }
    return new Provider({
      issuer: 'https://login.microsoftonline.com/some-name/v2.0',
      clientId: 'bridge',
      clientSecret: undefined,
      fetch: (url) => {
        asked.push(url)
        return Promise.resolve(Response.json({ issuer, ...endpoints }))
      },
      clock: createFakeClock(),
    })
  }
  const wrong = { reason: 'set_up_wrong', mend: 'OIDC_ISSUER must name the tenant by its own id.' }
  const all = of('https://login.microsoftonline.com/{tenantid}/v2.0').configuration()
  await expect(all).rejects.toMatchObject(wrong)
  const one = of('https://login.microsoftonline.com/8eaef023/v2.0').configuration()
  expect((await one).serverMetadata().issuer).toContain('8eaef023')
  expect(asked[0]).toMatch(/some-name.v2.0.\.well-known.openid-configuration$/)
})
