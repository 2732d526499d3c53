/* Who may use the API. */
import { expect } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { adminToken } from '../../support/bridge/bridge.ts'
import { it } from '../../support/bridge/test-api.ts'

const routes = [
  ['POST', '/api/feeds'],
  ['GET', '/api/feeds'],
  ['GET', '/api/feeds/feed_1'],
  ['PATCH', '/api/feeds/feed_1'],
  ['DELETE', '/api/feeds/feed_1'],
  ['POST', '/api/feeds/feed_1/links'],
  ['POST', '/api/feeds/feed_1/rotations'],
  ['DELETE', '/api/feeds/feed_1/links/default'],
  ['GET', '/api/companies/main/examination'],
  ['GET', '/api/audit'],
  ['GET', '/api/tokens'],
  ['POST', '/api/tokens'],
  ['DELETE', '/api/tokens/helpdesk'],
  ['POST', '/api/erasures'],
] as const

it.for(routes)('%s %s needs a token', async ([method, address], { api: { clock, bridge } }) => {
  for (const authorization of [undefined, 'Bearer wrong', `Basic ${adminToken}`]) {
    const response = await fetch(new URL(address, bridge.url), {
      method,
      headers: authorization === undefined ? {} : { Authorization: authorization },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
    outputSchemas.Problem.parse(await response.json())
  }
  await clock.advance(60_000)
})

it('too many wrong tokens answer 429 for a while, but do not lock out the right token', async ({
  api: { clock, bridge },
}) => {
  const wrong = { headers: { Authorization: 'Bearer wrong' } }
  for (let times = 0; times < 60; times += 1) {
    expect((await fetch(`${bridge.url}/api/feeds`, wrong)).status).toBe(401)
  }
  const response = await fetch(`${bridge.url}/api/feeds`, wrong)
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
  outputSchemas.Problem.parse(await response.json())
  expect((await bridge.api('GET', '/api/feeds')).status).toBe(200)
  await clock.advance(60_000)
  expect((await fetch(`${bridge.url}/api/feeds`, wrong)).status).toBe(401)
})

it('an undecodable address answers 404 as an unknown address, not as an unknown calendar', async ({
  api: { bridge },
}) => {
  const response = await bridge.api('DELETE', '/api/tokens/%zz')
  const { detail } = outputSchemas.Problem.parse(await response.json())
  expect([response.status, detail]).toEqual([404, 'There is nothing at this address.'])
})
