/* What somebody tries who wants the controls to lose a record, to fail, or to take what nobody can mean. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createSqliteDatabase, databases } from '../support/database/databases.ts'
import { leave, smallCompany } from './company.ts'
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts'

const leavesOf = '/companies/main/leaves'

describe.each(databases)('attacked controls on $name', ({ create }) => {
  let sandbox: SandboxServer
  beforeAll(async () => {
    sandbox = await startSandboxServer(await create())
    await sandbox.load(smallCompany)
  })
  afterAll(() => sandbox.close())

  it('a hundred records written at once are all kept, each with its own position', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `lv_new_${index}`)
    const told = await Promise.all(
      ids.map((id) => sandbox.control('PUT', `${leavesOf}/${id}`, leave(id, 'usr_1'))),
    )
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([201]))
    const { queries } = sandbox.database
    const rows = await queries.selectFrom('leaves').select(['id', 'position']).execute()
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)
    const company = await queries.selectFrom('workforce_companies').selectAll().executeTakeFirst()
    const last = Math.max(...rows.map(({ position }) => position))
    expect(company).toHaveProperty('next_position', last + 1)
  })

  it.each([
    ['users', 'usr_1'],
    ['leaves', 'lv_1'],
    ['timesheets', 'clq_1'],
    ['schedules', 'sch_fixed'],
    ['tasks', 'tsk_2'],
    ['invoices', 'inv_1'],
  ])(
    'writing back one of the %s as it was read changes nothing, whatever the order of fields',
    async (kind, id) => {
      const path = `/companies/main/${kind}/${id}`
      const { body } = await sandbox.control('GET', path)
      const record: unknown = Object(body).data
      const turned = Object.fromEntries(Object.entries(Object(record)).toReversed())
      const revision = await revisionOf(sandbox)
      for (const same of [record, turned]) {
        expect(await sandbox.control('PUT', path, same)).toMatchObject({ status: 200 })
      }
      expect(await revisionOf(sandbox)).toBe(revision)
    },
  )
})

async function revisionOf({ database }: SandboxServer): Promise<string | undefined> {
  const company = await database.queries
    .selectFrom('workforce_companies')
    .select('revision')
    .executeTakeFirst()
  return company?.revision
}

describe('request body', () => {
  let sandbox: SandboxServer
  beforeAll(async () => {
    sandbox = await startSandboxServer(createSqliteDatabase())
    await sandbox.load(smallCompany)
  })
  afterAll(() => sandbox.close())

  it.each([501, 5000, 40_000])(
    'a body nested %i deep is refused with a sentence',
    async (depth) => {
      const deep: unknown = JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`)
      const kept = { ...leave('lv_deep', 'usr_1'), deep }
      expect(await sandbox.control('PUT', `${leavesOf}/lv_deep`, kept)).toMatchObject({
        status: expect.toSatisfy((status) => status === 200 || status === 201),
      })
      const address = new URL(`/sandbox${leavesOf}/lv_deep`, sandbox.address(''))
      const response = await fetch(address, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toHaveProperty(
        'detail',
        'The body is nested more than 500 deep.',
      )
    },
  )

  it('a refusal ends with exactly one full stop or question mark', async () => {
    const nobody = leave('lv_x', 'somebody else altogether')
    const { body } = await sandbox.control('PUT', `${leavesOf}/lv_x`, nobody)
    expect(Object(body).detail).toMatch(/[^.?][.?]$/)
  })
})
