import { beforeAll, describe, expect, it } from 'vitest'

import { createSqliteDatabase } from '../../support/database/databases.ts'
import { leave, smallCompany } from '../company.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox-server.ts'

const main = '/companies/main'

describe('refused record changes', () => {
  let sandbox: SandboxServer
  const changes: unknown[] = []

  beforeAll(async () => {
    const changed = (companyId?: string): number => changes.push(companyId)
    sandbox = await startSandboxServer(createSqliteDatabase(), [], { changed })
    await sandbox.load(smallCompany)
    return () => sandbox.close()
  })

  it.each([
    ['leaves', { id: 'lv_other', userId: 'usr_1' }, '/id', 'be left out'],
    ['leaves', { userId: 'usr_2' }, '/userId', 'did you mean `usr_1`'],
    ['timesheets', { userId: 'usr_2' }, '/userId', 'did you mean `usr_1`'],
    ['leaves', { startDate: 'soon' }, '/startDate', 'ISO 8601'],
    ['leaves', { userId: undefined }, '/userId', 'expected identifier'],
    ['tasks', { projectId: 'prj_9' }, '/projectId', 'did you mean `prj_1`'],
  ])('for %s, %o is refused at %s', async (kind, wrong, pointer, detail) => {
    const period = { periodStart: '2026-03-01T00:00:00Z', periodEnd: '2026-03-15T00:00:00Z' }
    const record = { ...leave('x', 'usr_1'), ...period, id: undefined, ...wrong }
    const { status, body } = await sandbox.control('PUT', `${main}/${kind}/x`, record)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ pointer, detail: expect.stringContaining(detail) }] })
    expect(changes).toEqual([])
  })

  it.each([
    ['GET', '/companies/mian/users/usr_1', 404, 'There is no company mian; did you mean `main`?'],
    ['GET', `${main}/leave/lv_1`, 404, 'did you mean `leaves`?'],
    ['GET', `${main}/projects/prj_1`, 404, 'there are users, leaves, timesheets'],
    ['GET', `${main}/users/usr_9`, 404, 'There is no user usr_9.'],
    ['DELETE', `${main}/users/a%00b`, 404, 'Invalid record id.'],
    ['POST', '/companies/other/reset', 404, 'There is no company other'],
    ['POST', `${main}/users/usr_1`, 405, 'GET, HEAD, PUT, DELETE'],
    ['PUT', `${main}/users`, 405, 'GET, HEAD'],
    ['GET', `${main}/reset`, 405, 'POST'],
    ['DELETE', '/companies', 405, 'GET, HEAD'],
    ['GET', '/nothing', 404, 'nothing at'],
  ])('%s %s answers %i', async (method, path, status, detail) => {
    const told = await sandbox.control(method, path)
    expect(told).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } })
    expect(told.headers.has('Allow')).toBe(status === 405)
  })

  it('thousands of faults in a behaviour are reported as a hundred', async () => {
    const members = Array.from({ length: 4000 }, (_, index) => [`member${index}`, index])
    const faults = Array.from({ length: 4000 }, () => ({ operation: 'listLeave' }))
    const body = { ...Object.fromEntries(members), faults }
    const told = await sandbox.control('PUT', '/behaviour', body)
    expect([told.status, Object(told.body).errors.length]).toEqual([400, 100])
    expect(JSON.stringify(told.body).length).toBeLessThan(65_536)
  })

  it.each([
    ['text/plain', 'is another', 415, '{}'],
    ['application/json; charset=utf-8', 'is cut off', 400, '{'],
    ['application/json', 'is empty', 400, ''],
    ['application/json', 'is a number', 400, '7'],
    ['application/json', 'is too large', 413, `"${'x'.repeat(262_144)}"`],
  ])('a body of type %s that %s answers %i', async (type, _, status, body) => {
    const address = sandbox.address('').replace('/api/public/v1', `/sandbox${main}/users/usr_1`)
    const headers = { 'Content-Type': type }
    const told = await fetch(address, { method: 'PUT', body, headers })
    expect(told.status).toBe(status)
    expect(told.headers.get('Content-Type')).toContain('application/problem+json')
  })
})
