import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { calendarUrl, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'

let bridge: TestBridge
let addresses: readonly string[]

beforeAll(async () => {
  bridge = await startBridge()
  const calendar = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'], locale: 'de' }))
  const page = await (await fetch(calendar.replace(/\/[^/]*$/, ''))).text()
  addresses = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, address = '']) => address,
  )
})

afterAll(() => bridge.close())

/** The answer as it came over the wire. */
async function get(path: string, coding: string): Promise<IncomingMessage & { body: Buffer }> {
  const [response] = (await once(
    request(new URL(path, bridge.url), { headers: { 'Accept-Encoding': coding } }).end(),
    'response',
  )) as [IncomingMessage]
  return Object.assign(response, { body: await buffer(response) })
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

it('every file that the page names exists and can be cached for ever', async () => {
  expect(addresses.length).toBeGreaterThan(8)
  for (const address of addresses) {
    const identity = await get(address, 'identity')
    expect(identity.statusCode).toBe(200)
    expect(identity.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(identity.headers['content-encoding']).toBeUndefined()
    expect(identity.headers['content-type']).toBe(types[address.split('.').at(-1) ?? ''])
  }
})

it('a browser that asks for /favicon.ico gets the icon of the page', async () => {
  const [icon, named] = await Promise.all([
    get('/favicon.ico', 'identity'),
    get(addresses.find((address) => address.endsWith('/favicon.svg')) ?? '', 'identity'),
  ])
  expect(icon.statusCode).toBe(200)
  expect(icon.headers['content-type']).toBe('image/svg+xml')
  expect(icon.headers['cache-control']).toBe('public, max-age=86400')
  expect(icon.body.equals(named.body)).toBe(true)
})

it.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
] as const)('a client that accepts %s gets %s', async (accepted, coding, decompress) => {
  for (const address of addresses) {
    const [encoded, identity] = await Promise.all([
      get(address, accepted),
      get(address, 'identity'),
    ])
    expect(encoded.headers['content-encoding']).toBe(coding)
    expect(encoded.headers['vary']).toContain('Accept-Encoding')
    const { body } = encoded
    expect(Number(encoded.headers['content-length'])).toBe(body.length)
    expect(decompress(body).equals(identity.body)).toBe(true)
  }
})

it('a file of another version is served, but not cached', async () => {
  const address = (addresses[0] ?? '').replace(/\/assets\/[^/]+/, '/assets/older')
  const response = await get(address, 'br')
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('no-store')
})

it.each(['/assets/x/nothing.js', '/assets/x/..%2f..%2fpackage.json', '/assets/x/__proto__'])(
  '%s answers 404',
  async (path) => {
    expect((await get(path, 'br')).statusCode).toBe(404)
  },
)
