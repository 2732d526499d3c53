import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { databases } from '../../support/database/databases.ts'
import { leave, smallCompany } from '../company.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox-server.ts'

const main = '/companies/main'

describe.each(databases)('company records on $name', ({ create }) => {
  let sandbox: SandboxServer
  let changes: (string | undefined)[]

  beforeAll(async () => {
    const changed = (companyId?: string): number => changes.push(companyId)
    sandbox = await startSandboxServer(await create(), [], { changed })
    return () => sandbox.close()
  })
  beforeEach(async () => {
    changes = []
    await sandbox.load(smallCompany)
  })

  const tagOf = async (): Promise<string | null> =>
    (await sandbox.read('/leaves')).headers.get('ETag')

  it('a changed leave is answered by the Read API at once', async () => {
    const { id, ...changed } = leave('lv_1', 'usr_1', 'REJECTED')
    const told = await sandbox.control('PUT', `${main}/leaves/lv_1`, changed)
    expect(told).toMatchObject({ status: 200, body: { data: { ...changed, id } } })
    const { body } = await sandbox.read('/leaves?userId=usr_1&status=REJECTED')
    expect(body).toMatchObject({ data: [{ id: 'lv_1' }, { id: 'lv_4' }] })
    expect(changes).toEqual(['main'])
  })

  it('a new record is last in its list, and the ETag changes', async () => {
    const before = await tagOf()
    const told = await sandbox.control('PUT', `${main}/leaves/lv_0`, leave('lv_0', 'usr_1'))
    expect(told.status).toBe(201)
    const { body } = await sandbox.read('/leaves')
    expect(body).toMatchObject({ data: { 6: { id: 'lv_0' }, length: 7 } })
    expect(await tagOf()).not.toBe(before)
  })

  it('writing an unchanged record keeps the ETag and reports no change', async () => {
    const before = await tagOf()
    const { body } = await sandbox.control('GET', `${main}/leaves/lv_3`)
    expect(body).toEqual({ data: leave('lv_3', 'usr_1') })
    const told = await sandbox.control('PUT', `${main}/leaves/lv_3`, leave('lv_3', 'usr_1'))
    expect(told.status).toBe(200)
    expect(await tagOf()).toBe(before)
    expect(changes).toEqual([])
  })

  it('a task belongs to its project and can be moved', async () => {
    const task = { title: 'Moved', projectId: 'prj_2' }
    const told = await sandbox.control('PUT', `${main}/tasks/tsk_1`, task)
    const data = { ...task, id: 'tsk_1', archived: false }
    expect(told).toMatchObject({ status: 200, body: { data } })
    const { body } = await sandbox.read('/projects/prj_2/tasks')
    expect(body).toEqual({ data: [{ id: 'tsk_1', title: 'Moved' }] })
    await sandbox.control('PUT', `${main}/tasks/tsk_1`, { ...task, archived: true })
    expect((await sandbox.read('/projects/prj_2/tasks')).body).toEqual({ data: [] })
  })

  it('deleting a user deletes their leaves and timesheets', async () => {
    expect((await sandbox.control('DELETE', `${main}/users/usr_1`)).status).toBe(204)
    expect((await sandbox.control('DELETE', `${main}/users/usr_1`)).status).toBe(404)
    const leaves = await sandbox.read('/leaves?userId=usr_1')
    const timesheets = await sandbox.read('/timesheets?userId=usr_1')
    expect([leaves.body, timesheets.body]).toEqual([{ data: [] }, { data: [] }])
    expect((await sandbox.read('/leaves?userId=usr_boss')).body).toHaveProperty('data.length', 2)
  })

  it.each([
    ['users', { firstName: 'New' }],
    [
      'timesheets',
      {
        userId: 'usr_1',
        status: 'DRAFT',
        periodStart: '2026-03-01T00:00:00Z',
        periodEnd: '2026-03-15T00:00:00Z',
      },
    ],
    ['schedules', { type: 'FIXED', isActive: false }],
    ['tasks', { projectId: 'prj_1' }],
    ['invoices', { totalAmount: 5 }],
  ])('%s are created, shown and deleted', async (kind, record) => {
    const path = `${main}/${kind}/new%2F1`
    expect((await sandbox.control('PUT', path, record)).status).toBe(201)
    expect((await sandbox.control('PUT', path, record)).status).toBe(200)
    expect((await sandbox.control('GET', path)).body).toHaveProperty('data.id', 'new/1')
    expect((await sandbox.control('DELETE', path)).status).toBe(204)
    expect((await sandbox.control('GET', path)).status).toBe(404)
  })

  it('lists the first records of a kind, with their owners', async () => {
    const { body } = await sandbox.control('GET', `${main}/leaves?limit=2`)
    expect(body).toEqual({ data: [leave('lv_3', 'usr_1'), leave('lv_1', 'usr_1', 'PENDING')] })
    const ofOne = await sandbox.control('GET', `${main}/timesheets?userId=usr_boss`)
    expect(ofOne.body).toMatchObject({ data: [{ id: 'clq_3' }, { id: 'clq_4' }] })
    expect((await sandbox.control('GET', `${main}/users?userId=usr_1`)).status).toBe(400)
    expect((await sandbox.control('GET', `${main}/users?limit=0`)).status).toBe(400)
  })

  it('lists the loaded companies and those with a key', async () => {
    await sandbox.load(smallCompany, 'acme')
    const { body } = await sandbox.control('GET', '/companies')
    expect(body).toEqual({ data: ['acme', 'main'] })
  })
})
