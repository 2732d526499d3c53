/* Whatever is changed record by record, a reset gives back what was loaded, byte for byte and in its order. */
import fc, { type Arbitrary } from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it } from 'vitest'

import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { databases } from '../../support/database/databases.ts'
import { leave, smallCompany } from '../company.ts'
import { companyFiles, projectIds, userIds } from '../random-file.ts'
import { type SandboxServer, startSandboxServer } from '../sandbox-server.ts'

interface Step {
  readonly method: 'PUT' | 'DELETE'
  readonly kind: string
  readonly id: string
  readonly record: object
}

const prefixes = {
  users: 'usr_',
  leaves: 'lv_',
  timesheets: 'clq_',
  schedules: 'sch_',
  tasks: 'tsk_',
  invoices: 'inv_',
}

const steps: Arbitrary<Step> = fc.record({
  method: fc.constantFrom('PUT', 'PUT', 'DELETE'),
  kind: fc.constantFrom(...Object.keys(prefixes)),
  id: fc.constantFrom('1', '2', '3'),
  record: fc.record({
    userId: fc.constantFrom(...userIds),
    projectId: fc.constantFrom(...projectIds),
    reason: fc.constantFrom('one', 'two'),
    archived: fc.boolean(),
  }),
})

const period = { periodStart: '2026-03-01T00:00:00Z', periodEnd: '2026-03-15T00:00:00Z' }
const tables = ['users', 'leaves', 'timesheets', 'schedules', 'tasks', 'invoices', 'projects']

describe.each(databases)('reset on $name', ({ create }) => {
  let sandbox: SandboxServer
  const clock = createFakeClock()

  beforeAll(async () => {
    sandbox = await startSandboxServer(await create(), [], { clock })
    return () => sandbox.close()
  })

  /** Every row of the company, without the timestamp of anything. */
  async function contents(companyId: string): Promise<unknown> {
    const all = tables.map(async (table) => {
      const { rows } = await sql`
        select * from ${sql.table(table)} where company_id = ${companyId} order by id
      `.execute(sandbox.database.queries)
      return rows
    })
    return Promise.all(all)
  }

  it('a reset restores the company after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(companyFiles, fc.array(steps, { maxLength: 12 }), async (file, changes) => {
        await sandbox.load(withKnownIds(file), 'acme')
        const before = await contents('acme')
        for (const { method, kind, id, record } of changes) {
          const name = `${prefixes[kind as keyof typeof prefixes]}${id}`
          const body = { ...leave(name, 'usr_1'), ...period, ...record }
          const path = `/companies/acme/${kind}/${name}`
          const told = await sandbox.control(method, path, method === 'PUT' ? body : undefined)
          expect([200, 201, 204, 400, 404]).toContain(told.status)
        }
        const told = await sandbox.control('POST', '/companies/acme/reset')
        expect(told).toMatchObject({ status: 200, body: { data: { id: 'acme' } } })
        expect(await contents('acme')).toEqual(before)
      }),
      { numRuns: inject('isThorough') ? 100 : 5 },
    )
  })

  it('of a company that was never loaded leaves it empty', async () => {
    await sandbox.load({}, 'empty')
    await sandbox.control('PUT', '/companies/empty/users/usr_1', {})
    await sandbox.control('PUT', '/companies/empty/leaves/lv_1', leave('lv_1', 'usr_1'))
    await sandbox.control('POST', '/companies/empty/reset')
    expect(await contents('empty')).toEqual(tables.map(() => []))
  })

  it('a reset of main loads the sample of today, whatever it contained', async () => {
    await sandbox.load(smallCompany)
    await sandbox.control('POST', '/companies/main/reset')
    const before = await contents('main')
    expect((await sandbox.read('/users/usr_ada')).status).toBe(200)
    await sandbox.control('DELETE', '/companies/main/users/usr_ada')
    expect(await contents('main')).not.toEqual(before)
    await sandbox.control('POST', '/companies/main/reset')
    expect(await contents('main')).toEqual(before)
  })

  it('a reset without prior changes keeps the ETag', async () => {
    await sandbox.load(smallCompany, 'acme')
    const revision = async (): Promise<unknown> =>
      (
        await sql`select * from workforce_companies where id = 'acme'`.execute(
          sandbox.database.queries,
        )
      ).rows
    const before = await revision()
    await sandbox.control('POST', '/companies/acme/reset')
    expect(await revision()).toEqual(before)
  })
})

/** Some of the ids that are changed are there from the beginning. */
function withKnownIds(file: Parameters<SandboxServer['load']>[0]) {
  return { ...file, invoices: [{ id: 'inv_1', totalAmount: 1 }], schedules: [{ id: 'sch_2' }] }
}
