import type { LookupAddress } from 'node:dns'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TypedHost } from '../../src/transport/typed-host.ts'
import { createTestClient } from '../read-api/operations.ts'
import {
  answerJson,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const user = { id: 'usr_1' }

let server: MisbehavingServer
beforeEach(async () => {
  server = await startMisbehavingServer(answerJson({ data: user }))
})
afterEach(() => server.close())

/** Looks every name up as these addresses, at each turn the next of them. */
function namesLeadTo(...turns: readonly string[]): ConstructorParameters<typeof TypedHost>[1] {
  let turn = 0
  return (_, __, found) => {
    const address = turns[Math.min(turn, turns.length - 1)] ?? ''
    turn += 1
    const all: LookupAddress[] = [{ address, family: address.includes(':') ? 6 : 4 }]
    found(null, all)
  }
}

async function ask(address: string, only: TypedHost): Promise<unknown> {
  const client = createTestClient(address, {}, { way: { only } })
  try {
    return await client.get('user', user.id)
  } catch (error) {
    return error instanceof Error ? error.message : error
  } finally {
    await client.close()
  }
}

describe('an address that is typed in', () => {
  it.each([
    ['http://10.1.2.3', null],
    ['http://127.0.0.1:8080', null],
    ['http://[fd12::1]', null],
    ['https://93.184.216.34', null],
    ['http://169.254.169.254', 'never'],
    ['http://2852039166', 'never'],
    ['http://0xa9fea9fe', 'never'],
    ['http://0251.0376.0251.0376', 'never'],
    ['http://①⑥⑨.254.169.254', 'never'],
    ['http://[::ffff:169.254.169.254]', 'never'],
    ['http://[::ffff:a9fe:a9fe]', 'never'],
    ['http://[::169.254.169.254]', 'never'],
    ['http://[2002:a9fe:a9fe::]', 'never'],
    ['http://[fd00:ec2::254]', 'never'],
    ['http://[64:ff9b::a9fe:a9fe]', 'never'],
    ['http://[fe80::1]', 'never'],
    ['http://100.100.100.200', 'never'],
    ['http://192.0.0.192', 'never'],
    ['http://0', 'never'],
    ['http://0.0.0.0', 'never'],
    ['http://[::]', 'never'],
    ['http://224.0.0.1', 'never'],
    ['http://255.255.255.255', 'never'],
  ] as const)('%s is refused as %s', async (address, refusal) => {
    expect(await new TypedHost(address).findRefusal()).toBe(refusal)
  })

  it.each([
    ['93.184.216.34', null],
    ['2606:2800:220:1::1', null],
    ['10.1.2.3', 'private'],
    ['192.168.0.1', 'private'],
    ['127.0.0.1', 'private'],
    ['::1', 'private'],
    ['::ffff:127.0.0.1', 'private'],
    ['fd12::1', 'private'],
    ['169.254.169.254', 'never'],
    ['fe80::1', 'never'],
  ] as const)('A name that leads to %s is refused as %s', async (address, refusal) => {
    const host = new TypedHost('https://api.example', namesLeadTo(address))
    expect(await host.findRefusal()).toBe(refusal)
  })

  it('localhost may lead to this machine, and nowhere else within', async () => {
    const [own, other] = ['127.0.0.1', '10.0.0.1'].map(
      (address) => new TypedHost('http://localhost', namesLeadTo(address)),
    )
    expect([await own?.findRefusal(), await other?.findRefusal()]).toEqual([null, 'private'])
  })
})

it('A host is asked at the private address that was typed', async () => {
  expect(await ask(server.url, new TypedHost(server.url))).toEqual(user)
})

it('A name that is public at first and leads within at the next look is not followed', async () => {
  const address = `http://rebinding.example:${new URL(server.url).port}`
  const only = new TypedHost(address, namesLeadTo('93.184.216.34', '127.0.0.1'))
  expect(await only.findRefusal()).toBeNull()
  expect(await ask(address, only)).toContain('Nothing was sent')
  expect(server.requests).toEqual([])
})

it('Nothing is sent to another port of the same host', async () => {
  const other = `${server.url.slice(0, -2)}99`
  expect(await ask(server.url, new TypedHost(other))).toContain('Nothing was sent')
  expect(server.requests).toEqual([])
})
