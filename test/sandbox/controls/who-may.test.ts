import { request } from 'node:http'

import { afterEach, describe, expect, it } from 'vitest'

import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { createSqliteDatabase } from '../../support/database/databases.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox-server.ts'

const adminToken = 'the-admin-token-of-this-test'
const right = { Authorization: `Bearer ${adminToken}` }

let sandbox: SandboxServer

afterEach(() => sandbox.close())

/** `fetch` sets some fields itself. */
async function statusWith(headers: Readonly<Record<string, string>>): Promise<number> {
  const address = sandbox.address('').replace('/api/public/v1', '/sandbox/companies')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const asked = request(address, { headers }, (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  asked.once('error', reject).end()
  return promise
}

describe('access without keys', () => {
  it.each([
    [{}, 200],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ 'Sec-Fetch-Site': 'none' }, 200],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ Origin: 'http://evil.example' }, 403],
    [{ Origin: 'http://127.0.0.1:1' }, 403],
    [{ Origin: 'null' }, 403],
    [{ Host: 'rebound.example' }, 403],
    [{ Host: 'rebound.example', Origin: 'http://rebound.example' }, 403],
    [{ 'X-Forwarded-For': '192.0.2.1' }, 403],
  ])('%o answers %i', async (headers, status) => {
    sandbox = await startSandboxServer(createSqliteDatabase())
    expect(await statusWith(headers)).toBe(status)
  })

  it('accepts its own page, and sends no CORS headers', async () => {
    sandbox = await startSandboxServer(createSqliteDatabase())
    const { origin } = new URL(sandbox.address(''))
    const told = await sandbox.control('GET', '/companies', undefined, { Origin: origin })
    expect(told.status).toBe(200)
    expect([...told.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([])
  })
})

describe('access with keys', () => {
  it.each([
    [{}, 401],
    [{ Authorization: 'Bearer key-of-main' }, 401],
    [right, 200],
    [{ ...right, Host: 'workforce.example' }, 200],
    [{ ...right, Host: 'workforce.example', Origin: 'https://workforce.example' }, 200],
    [{ ...right, Origin: 'http://evil.example' }, 403],
    [{ ...right, 'Sec-Fetch-Site': 'cross-site' }, 403],
  ])('%o answers %i', async (headers, status) => {
    sandbox = await startSandboxServer(createSqliteDatabase(), ['main'], { adminToken })
    expect(await statusWith(headers)).toBe(status)
  })

  it('refuses everybody without an admin token', async () => {
    sandbox = await startSandboxServer(createSqliteDatabase(), ['main'])
    expect(await statusWith({ Authorization: 'Bearer ' })).toBe(401)
    expect(await statusWith({ Authorization: 'Bearer undefined' })).toBe(401)
  })

  it('limits wrong tokens and keys, never right ones', async () => {
    const clock = createFakeClock()
    sandbox = await startSandboxServer(createSqliteDatabase(), ['main'], { adminToken, clock })
    for (let count = 0; count < 30; count += 1) expect(await statusWith({})).toBe(401)
    expect(await statusWith({})).toBe(429)
    expect(await statusWith(right)).toBe(200)
    for (let count = 0; count < 60; count += 1) {
      expect((await sandbox.read('/leaves')).status).toBe(401)
    }
    const told = await sandbox.read('/leaves')
    expect([told.status, told.headers.get('Retry-After')]).toEqual([429, '60'])
    expect((await sandbox.read('/leaves', 'main')).status).toBe(200)
    await clock.advance(60_000)
    expect((await sandbox.read('/leaves')).status).toBe(401)
  })
})
