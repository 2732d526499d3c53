import { describe, expect, it, onTestFinished } from 'vitest'

import {
  type Authentication,
  type ConnectionSettings,
  everyList,
} from '../../src/domain/connection.ts'
import { defaultParameters } from '../../src/domain/read-api.ts'
import { createReadApiProbe, type ReadApiProbe } from '../../src/read-api/probe.ts'
import { examineApi, findingOf, settingsOf } from '../support/company/examine.ts'
import {
  answer,
  type Behaviour,
  type MisbehavingServer,
  resetBeforeHeaders,
  stall,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const secret = 'tok-4f9a1c77e2'

const credentials: readonly [string, Authentication][] = [
  [`bearer:${secret}`, { scheme: 'bearer', token: secret }],
  [`basic:me:${secret}`, { scheme: 'basic', user: 'me', password: secret }],
  [`header:X-Key:${secret}`, { scheme: 'header', name: 'X-Key', value: secret }],
  [`query:key:${secret}`, { scheme: 'query', name: 'key', value: secret }],
]

describe('the probe', () => {
  it.each(credentials)('follows no redirect with the credential %s', async (setting) => {
    const elsewhere = await serve(answer({ status: 401 }))
    const { url } = await serve((socket, request) => {
      const location = elsewhere.url + request.path
      answer({ status: 301, headers: { location } })(socket, request)
    })
    const examination = await examineApi(url, { WORKFORCE_AUTH: setting })
    const seen = expect.stringContaining(`schedules answers 301, a redirect to ${elsewhere.url}`)
    expect(findingOf(examination, 'reachable')).toMatchObject({ level: 'wrong', seen, set: null })
    expect(settingsOf(examination)).toEqual([])
    expect(elsewhere.requests).toEqual([])
  })

  it('recommends no address that a redirect leads to, not even on the same origin', async () => {
    const { url, requests } = await serve((socket, request) => {
      const location = `/moved${request.path}`
      answer({ status: 308, headers: { location } })(socket, request)
    })
    const examination = await examineApi(url)
    const seen = expect.stringContaining('a redirect to /moved/api/public/v1/schedules')
    expect(findingOf(examination, 'reachable')).toMatchObject({ seen, set: null })
    expect(requests.filter(({ path }) => path.startsWith('/moved'))).toEqual([])
  })

  it.each(credentials)(
    'never repeats the secret of %s when a redirect contains it',
    async (_, authentication) => {
      const location = `https://sso.example/${secret}?key=${secret}`
      const { url } = await serve(answer({ status: 302, headers: { location } }))
      const { redirectsTo } = await probe({ baseUrl: url, authentication }).ask({ path: 'leaves' })
      expect(redirectsTo).toBe('https://sso.example')
      const own = await serve(
        answer({ status: 302, headers: { location: `/${secret}?key=${secret}` } }),
      )
      const asked = await probe({ baseUrl: own.url, authentication }).ask({ path: 'leaves' })
      expect(asked.redirectsTo).toBe('/***')
    },
  )

  it.each([
    ['not at all', { scheme: 'none' }, {}],
    ['bearer', { scheme: 'bearer' }, { authorization: `Bearer ${secret}` }],
    ['header', { scheme: 'header', name: 'X-Other' }, { 'x-other': secret }],
  ] as const)('can send the secret in another way: %s', async (_, credential, expected) => {
    const { url, requests } = await serve(answer({ body: '{"data":[]}' }))
    const authentication = { scheme: 'header', name: 'X-Key', value: secret } as const
    const asked = await probe({ baseUrl: url, authentication }).ask({ path: 'leaves', credential })
    const nothing = { hasNext: false, challenge: '', redirectsTo: null }
    expect(asked).toEqual({ status: 200, records: [], ...nothing })
    expect(requests[0]?.headers).toMatchObject(expected)
    expect(requests[0]?.headers).not.toHaveProperty('x-key')
  })

  it.each<[string, Behaviour, string, RegExp]>([
    ['a stall', stall, 'upstream_unavailable', /not answered within 500 ms/],
    ['a reset', resetBeforeHeaders, 'upstream_unavailable', /lost its connection/],
    [
      'a body beyond the limit',
      answer({ body: 'x'.repeat(2000) }),
      'upstream_invalid',
      /more than the size limit/,
    ],
  ])('reports a failure in one sentence: %s', async (_, behave, code, message) => {
    const { url } = await serve(behave)
    const asked = probe({ baseUrl: url, timeoutMs: 500 }).ask({ path: 'leaves' })
    await expect(asked).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it.each([
    ['HTML', '<!doctype html>'],
    ['no JSON', '{"data":['],
    ['a bare list', '[]'],
    ['one record', '{"data":{}}'],
  ])('is not taken for a list: %s', async (_, body) => {
    const { url } = await serve(answer({ body }))
    const asked = await probe({ baseUrl: url }).ask({ path: 'leaves' })
    expect(asked).toMatchObject({ status: 200, records: null })
  })

  it('an aborted probe fails with the reason of its caller', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const { url } = await serve(() => resolve())
    const ending = new AbortController()
    const asked = probe({ baseUrl: url }).ask({ path: 'leaves' }, ending.signal)
    await arrived
    ending.abort(new Error('the end'))
    await expect(asked).rejects.toThrow('the end')
  })
})

async function serve(behave: Behaviour): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer(behave)
  onTestFinished(() => server.close())
  return server
}

function probe(settings: Partial<ConnectionSettings>): ReadApiProbe {
  const parameters = defaultParameters
  const none = {
    authentication: { scheme: 'none' },
    pagination: everyList({ style: 'none' }),
  } as const
  const limits = { timeoutMs: 60_000, concurrency: 2, bodyBytesMax: 1000 }
  const made = createReadApiProbe({ baseUrl: '', parameters, ...none, ...limits, ...settings })
  onTestFinished(() => made.close())
  return made
}
