/* Pages that this machine serves may read the Read API in a browser, others may not; and what fails here says nothing of the inside. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { createSqliteDatabase } from '../support/database/databases.ts'
import { smallCompany } from './company.ts'
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts'

let server: SandboxServer

beforeAll(async () => {
  server = await startSandboxServer(createSqliteDatabase())
  await server.load(smallCompany)
})
afterAll(() => server.close())

it.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:5173'])(
  'a page of %s may read',
  async (origin) => {
    const { status, headers } = await server.read('/leaves', undefined, { Origin: origin })
    expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([200, origin])
    expect(headers.get('Access-Control-Expose-Headers')).toContain('Link')
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(headers.get('Vary')).toContain('Origin')
  },
)

it.each([
  'https://example.com',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://example.com:127',
  'null',
  'file://',
])('a page of %s may not read', async (origin) => {
  const { headers } = await server.read('/leaves', undefined, { Origin: origin })
  expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
})

it('a browser may ask in advance whether it may send a key', async () => {
  const asked = {
    Origin: 'http://localhost:3000',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'authorization',
  }
  const { status, headers } = await server.send('/leaves', { method: 'OPTIONS', headers: asked })
  expect([status, headers.get('Access-Control-Allow-Methods')]).toEqual([204, 'GET, HEAD'])
  expect(headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
  const elsewhere = { ...asked, Origin: 'https://example.com' }
  expect((await server.send('/leaves', { method: 'OPTIONS', headers: elsewhere })).status).toBe(405)
})

it('errors can be read too', async () => {
  const told = await server.read('/leaves?user=1', undefined, { Origin: 'http://localhost:3000' })
  expect(told.status).toBe(400)
  expect(told.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:3000')
})

it.each(['/leaves', '/users/usr_1', '/projects/prj_1/tasks'])(
  '%s answers 500 when its tables are missing, without internal details',
  async (path) => {
    const broken = await startSandboxServer(createSqliteDatabase())
    onTestFinished(() => broken.close())
    await broken.database.queries.schema.dropTable('workforce_companies').execute()
    const { status, headers, body } = await broken.read(path)
    expect([status, headers.get('Content-Type')]).toEqual([
      500,
      'application/problem+json; charset=utf-8',
    ])
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'The Read API failed.',
    })
  },
)
