/* What somebody tries who wants the Read API to answer whom it should not, or to answer wrongly. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { leave, smallCompany } from './company.ts'
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts'

let sandbox: SandboxServer
beforeAll(async () => {
  sandbox = await startSandboxServer(createSqliteDatabase())
  await sandbox.load(smallCompany)
})
afterAll(() => sandbox.close())
beforeEach(() => sandbox.control('PUT', '/behaviour', {}))

/** `fetch` sets some fields itself. */
async function headOf(
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly headers: object }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof headOf>>>()
  const asked = request(sandbox.address(path), { headers }, (response) => {
    response.resume()
    resolve({ status: response.statusCode ?? 0, headers: response.headers })
  })
  asked.once('error', reject).end()
  return promise
}

const basic = Buffer.from('me:pass').toString('base64')

describe('imitated credential', () => {
  it.each([
    ['basic:me:pass', 'Basic realm="sandbox", charset="UTF-8"'],
    ['bearer:abc', 'Bearer'],
    ['header:X-Key:abc', 'ApiKey realm="sandbox"'],
    ['query:key:abc', 'ApiKey realm="sandbox"'],
  ])('%s: a 401 tells how to send it', async (auth, challenge) => {
    const faults = [{ operation: 'listSchedules', status: 401 }]
    await sandbox.control('PUT', '/behaviour', { auth, faults })
    const { status, headers } = await sandbox.read('/users/usr_1')
    expect([status, headers.get('WWW-Authenticate')]).toEqual([401, challenge])
  })

  it.each([`Basic ${basic}`, `basic ${basic}`, `BASIC  ${basic}`])(
    '%s is accepted',
    async (sent) => {
      await sandbox.control('PUT', '/behaviour', { auth: 'basic:me:pass' })
      expect(await headOf('/users/usr_1', { Authorization: sent })).toHaveProperty('status', 200)
    },
  )

  it('gives no access to another machine without keys, nor to a page with a rebound host name', async () => {
    await sandbox.control('PUT', '/behaviour', { auth: 'bearer:abc' })
    const headers = { Authorization: 'Bearer abc' }
    expect(await headOf('/users/usr_1', headers)).toHaveProperty('status', 200)
    const Host = 'rebound.example'
    expect(await headOf('/users/usr_1', { ...headers, Host })).toHaveProperty('status', 401)
  })
})

it.each([
  ['br, gzip', 'gzip'],
  ['br;q=1, gzip;q=0.5', 'gzip'],
  ['br', undefined],
  ['gzip;q=0, *', undefined],
  ['identity, gzip;q=0.5', undefined],
])('a client that accepts %s is sent %s', async (accept, coding) => {
  const { status, headers } = await headOf('/leaves', { 'Accept-Encoding': accept })
  expect(status).toBe(200)
  expect(Object(headers)['content-encoding']).toBe(coding)
})

it('a 304 has the same Vary header as the 200', async () => {
  const { headers } = await headOf('/leaves', {})
  const etag = String(Object(headers)['etag'])
  const again = await headOf('/leaves', { 'If-None-Match': etag })
  expect(again.status).toBe(304)
  expect(Object(again.headers).vary).toBe(Object(headers).vary)
})

it('a cursor is accepted only unchanged, and is checked before If-None-Match', async () => {
  const { headers } = await sandbox.read('/leaves?limit=1')
  const next = /<\/api\/public\/v1([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? ''
  expect(await sandbox.read(next)).toHaveProperty('status', 200)
  for (const wrong of [`${next}!`, `${next}A`, `${next}%3D`, next.slice(0, -1)]) {
    const told = await sandbox.read(wrong, undefined, { 'If-None-Match': '*' })
    expect(told).toHaveProperty('status', 400)
  }
})

it('a user name in an absolute address, or behind a disguised question mark, is not logged', async () => {
  const { port, pathname } = new URL(sandbox.address(''))
  for (const target of [
    `http://me:s3cret@127.0.0.1${pathname}/leaves`,
    `${pathname}/x%3Fk=s3cret`,
  ]) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    await text(socket)
  }
  const { body } = await sandbox.control('GET', '/requests?limit=2')
  expect(body).toMatchObject({
    data: [
      { path: `${pathname}/x?…`, status: 404 },
      { path: `${pathname}/leaves`, status: 200 },
    ],
  })
})

it.each(['identity', 'gzip'])(
  'a client leaving in the middle of a list in %s is not logged as an error',
  async (coding) => {
    const lines: LogLine[] = []
    const server = await startSandboxServer(createSqliteDatabase(), [], { log: recordedLog(lines) })
    onTestFinished(() => server.close())
    const leaves = Array.from({ length: 650 }, (_, index) => ({
      ...leave(`lv_${index}`, 'usr_1'),
      reason: randomBytes(15_000).toString('base64'),
    }))
    await server.load({ users: [{ id: 'usr_1' }], leaves })
    const leaving = new AbortController()
    const headers = { 'Accept-Encoding': coding }
    await fetch(server.address('/leaves'), { headers, signal: leaving.signal })
    leaving.abort()
    await expect
      .poll(() => server.control('GET', '/requests'))
      .toMatchObject({ body: { data: [{ operation: 'listLeaves', status: null }] } })
    expect(lines).toEqual([])
  },
)
