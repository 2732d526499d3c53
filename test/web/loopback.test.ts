/* What is told to this machine alone is told to nobody else, whatever they say of themselves. */
import { expect, it } from 'vitest'

import { type AskedRequest, isFromHere } from '../../src/web/loopback.ts'

interface Told {
  readonly host?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly peer?: string | undefined
  /** As `TRUST_PROXY` has it read. */
  readonly ip?: string
  readonly trustProxy?: number
}

function asked({
  host = 'localhost:8080',
  fields = {},
  peer = '127.0.0.1',
  ip = peer,
  trustProxy = 0,
}: Told): AskedRequest {
  const headers = { host, ...fields }
  return { headers, ip, socket: { remoteAddress: peer }, app: { get: () => trustProxy } }
}

const fromHere = { 'x-forwarded-for': '127.0.0.1' }

it.each<Told>([
  {},
  { host: '127.0.0.1' },
  { host: '[::1]:1', peer: '::1' },
  { peer: '::ffff:127.0.0.1' },
  { fields: fromHere, trustProxy: 1 },
])('a request is local: %j', (told) => {
  expect(isFromHere(asked(told))).toBe(true)
})

it.each<Told>([
  { host: 'evil.example.com' },
  { host: '' },
  { peer: '192.0.2.7' },
  { peer: '::ffff:192.0.2.7' },
  { peer: '192.0.2.7', ip: '127.0.0.1', fields: fromHere, trustProxy: 1 },
  { fields: fromHere },
  { fields: { forwarded: 'for=127.0.0.1' } },
  { fields: { forwarded: 'for=192.0.2.7' }, trustProxy: 1 },
  { fields: { via: '1.1 proxy' }, trustProxy: 1 },
  { fields: { 'x-real-ip': '192.0.2.7' } },
  { fields: { 'x-forwarded-proto': 'https' } },
  { fields: { 'cf-connecting-ip': '192.0.2.7' } },
  { fields: { 'x-forwarded-for': '', forwarded: 'for=192.0.2.7' }, trustProxy: 1 },
  { fields: { 'x-forwarded-for': '192.0.2.7' }, ip: '192.0.2.7', trustProxy: 1 },
])('a request is not local: %j', (told) => {
  expect(isFromHere(asked(told))).toBe(false)
})

it('a request with a closed connection is not local', () => {
  const { socket: _, ...request } = asked({})
  expect(isFromHere({ ...request, socket: { remoteAddress: undefined } })).toBe(false)
})
