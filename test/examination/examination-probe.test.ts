import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import {
  type Authentication,
  type ConnectionSettings,
  defaultParameters,
} from '../../src/domain/connection.ts'
import { createReadApiProbe, type ReadApiProbe } from '../../src/read-api/probe.ts'
import { examineApi, settingsOf } from '../support/examine.ts'

const secret = 'tok-4f9a1c77e2'

const credentials: readonly [string, Authentication][] = [
  [`bearer:${secret}`, { scheme: 'bearer', token: secret }],
  [`basic:me:${secret}`, { scheme: 'basic', user: 'me', password: secret }],
  [`header:X-Key:${secret}`, { scheme: 'header', name: 'X-Key', value: secret }],
  [`query:key:${secret}`, { scheme: 'query', name: 'key', value: secret }],
]

describe('the probe', () => {
  test.each(credentials)('sends %s to its own origin alone', async (setting) => {
    const elsewhere: IncomingMessage[] = []
    const other = await serve((request, response) => {
      elsewhere.push(request)
      response.writeHead(401).end()
    })
    const url = await serve(({ url: address = '' }, response) => {
      response.writeHead(301, { Location: other + address }).end()
    })
    const { examination } = await examineApi(url, { WORKFORCE_AUTH: setting })
    expect(settingsOf(examination)).toEqual([`WORKFORCE_BASE_URL=${other}`])
    expect(elsewhere).not.toHaveLength(0)
    const sent = elsewhere.map(({ url: address, headers }) => JSON.stringify([address, headers]))
    expect(sent.join('\n')).not.toMatch(/tok-|authorization|x-key/i)
  })

  test.each(credentials)('never repeats %s where a redirect does', async (_, authentication) => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { Location: `https://sso.example/${secret}?key=${secret}` }).end()
    })
    const answer = await probe({ baseUrl: url, authentication }).ask({ path: 'leaves' })
    expect(answer.redirectsTo).toBe('https://sso.example/***')
  })

  test.each([
    ['not at all', { scheme: 'none' }, {}],
    ['bearer', { scheme: 'bearer' }, { authorization: `Bearer ${secret}` }],
    ['header', { scheme: 'header', name: 'X-Other' }, { 'x-other': secret }],
  ] as const)('sends the secret another way: %s', async (_, credential, expected) => {
    const sent: IncomingMessage['headers'][] = []
    const url = await serve(({ headers }, response) => {
      sent.push(headers)
      response.end('{"data":[]}')
    })
    const authentication = { scheme: 'header', name: 'X-Key', value: secret } as const
    const asked = await probe({ baseUrl: url, authentication }).ask({ path: 'leaves', credential })
    expect(asked).toEqual({
      status: 200,
      records: [],
      hasNext: false,
      challenge: '',
      redirectsTo: null,
    })
    const [headers = {}] = sent
    expect(headers).toMatchObject(expected)
    expect(headers['x-key']).toBeUndefined()
  })

  test.each<[string, RequestListener, string, RegExp]>([
    ['a stall', () => {}, 'upstream_unavailable', /not answered within 200 ms/],
    ['a reset', ({ socket }) => socket.destroy(), 'upstream_unavailable', /lost its connection/],
    [
      'a body beyond the limit',
      (_, response) => response.end('x'.repeat(2000)),
      'upstream_invalid',
      /more than the size limit/,
    ],
  ])('fails in a sentence: %s', async (_, listener, code, message) => {
    const baseUrl = await serve(listener)
    await expect(probe({ baseUrl }).ask({ path: 'leaves' })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  test.each([
    ['HTML', '<!doctype html>'],
    ['no JSON', '{"data":['],
    ['a bare list', '[]'],
    ['one record', '{"data":{}}'],
  ])('takes for no list: %s', async (_, body) => {
    const baseUrl = await serve((_request, response) => response.end(body))
    const answer = await probe({ baseUrl }).ask({ path: 'leaves' })
    expect(answer).toMatchObject({ status: 200, records: null })
  })

  test('ends with its caller’s reason', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>()
    const baseUrl = await serve(() => resolve())
    const ending = new AbortController()
    const asked = probe({ baseUrl }).ask({ path: 'leaves' }, ending.signal)
    await arrived
    ending.abort(new Error('the end'))
    await expect(asked).rejects.toThrow('the end')
  })
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function probe(settings: Partial<ConnectionSettings>): ReadApiProbe {
  const made = createReadApiProbe({
    baseUrl: '',
    authentication: { scheme: 'none' },
    parameters: defaultParameters,
    pagination: { style: 'none' },
    timeoutMs: 200,
    concurrency: 2,
    bodyBytesMax: 1000,
    ...settings,
  })
  onTestFinished(() => made.close())
  return made
}
