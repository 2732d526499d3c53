import { expect, it, onTestFinished } from 'vitest'

import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { createSqliteDatabase } from '../../support/database/databases.ts'
import { smallCompany } from '../company.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox-server.ts'

const adminToken = 'the-admin-token-of-this-test'
const right = { Authorization: `Bearer ${adminToken}` }

async function start(companies: readonly string[] = []): Promise<SandboxServer> {
  const clock = createFakeClock()
  const sandbox = await startSandboxServer(createSqliteDatabase(), companies, { adminToken, clock })
  onTestFinished(() => sandbox.close())
  await sandbox.load(smallCompany)
  return sandbox
}

it('lists each request to the Read API, newest first', async () => {
  const sandbox = await start(['main'])
  await sandbox.read('/leaves?userId=usr_1&limit=2', 'main', { 'User-Agent': 'me/1' })
  await sandbox.read('/users/usr_9', 'main', { 'User-Agent': 'me/1' })
  await sandbox.send('/leaves', { method: 'POST', headers: { 'User-Agent': 'me/1' } })
  await sandbox.read('/nothing', undefined, { 'User-Agent': 'me/1' })
  const common = { at: '2026-01-05T12:00:00.000Z', durationMs: 0, client: 'me/1' }
  const unknown = { ...common, companyId: null, operation: null }
  const ofMain = { ...common, method: 'GET', companyId: 'main' }
  const base = '/api/public/v1'
  expect((await sandbox.control('GET', '/requests', undefined, right)).body).toEqual({
    data: [
      { ...unknown, method: 'GET', path: `${base}/nothing`, status: 404 },
      { ...unknown, method: 'POST', path: `${base}/leaves`, status: 405 },
      { ...ofMain, path: `${base}/users/usr_9`, operation: 'getUser', status: 404 },
      {
        ...ofMain,
        path: `${base}/leaves?userId=usr_1&limit=2`,
        operation: 'listLeaves',
        status: 200,
      },
    ],
  })
})

it('no credential is shown, wherever it was sent', async () => {
  const sandbox = await start()
  await sandbox.control('PUT', '/behaviour', { auth: 'query:key:s3cret' })
  const headers = { Authorization: 'Bearer s3cret', 'X-Key': 's3cret', Cookie: 's3cret' }
  await sandbox.read('/leaves?key=s3cret&status=APPROVED', undefined, headers)
  await sandbox.read('/leaves?token=s3cret', undefined, headers)
  await sandbox.read('/nothing?s3cret', undefined, headers)
  const { body } = await sandbox.control('GET', '/requests')
  expect(body).toHaveProperty('data.length', 3)
  expect(body).toHaveProperty('data.2.path', '/api/public/v1/leaves?…&status=APPROVED')
  expect(JSON.stringify(body)).not.toContain('s3cret')
})

it('returns the requested number, at most a thousand', async () => {
  const sandbox = await start()
  for (let count = 0; count < 1003; count += 1) await sandbox.read(`/nothing/${count}`)
  const of = async (query: string): Promise<unknown> =>
    (await sandbox.control('GET', `/requests${query}`)).body
  expect(await of('')).toHaveProperty('data.length', 100)
  expect(await of('?limit=1')).toMatchObject({ data: [{ path: '/api/public/v1/nothing/1002' }] })
  const all = await of('?limit=1000')
  expect(all).toMatchObject({ data: { length: 1000, 999: { path: '/api/public/v1/nothing/3' } } })
  expect((await sandbox.control('GET', '/requests?limit=1001')).status).toBe(400)
})
