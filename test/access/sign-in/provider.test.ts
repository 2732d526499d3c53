import { expect, it } from 'vitest'

import { Provider } from '../../../src/access/sign-in/provider.ts'
import { createPlainFetch } from '../../../src/transport/plain-fetch.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startRogueProvider } from '../../support/rogue-provider.ts'

it('one that hangs is given up, for all who wait for it by one request, and asked again by the next', async () => {
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
