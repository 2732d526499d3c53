/* The database of the release before, of one company, goes on as that of several, and answers as it did. */
import { copyFileSync, existsSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { sandboxHistory } from '../../src/sandbox/records/migrations.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { createSqliteDatabase, databases } from '../support/database/databases.ts'
import { smallCompany } from './company.ts'
import { listEnvelope } from './loading/load-company.ts'
import { startSandboxServer } from './sandbox-server.ts'

const fixture = path.resolve(import.meta.dirname, '../fixtures/release-0.2/workforce.sqlite')

/** The tables of that release, as far as this test looks at them. */
interface TablesBefore {
  company: { id: number }
  users: { id: string; record: string }
  leaves: { id: string; record: string; position: number; user_id: string; status: string | null }
}

it('a file of the previous release still answers the same', async () => {
  const url = createSqliteDatabase()
  const first = await openDatabase(url)
  await first.close()
  copyFileSync(fixture, url.slice('file:'.length))
  const server = await startSandboxServer(url)
  onTestFinished(() => server.close())
  const { leaves = [], timesheets = [], invoices = [], users = [], schedules = [] } = smallCompany
  const list = async (of: string): Promise<readonly unknown[]> =>
    listEnvelope.parse((await server.read(of)).body).data
  expect(await list('/leaves')).toEqual(leaves.map(({ userId: _, ...leave }) => leave))
  expect(await list('/timesheets')).toEqual(timesheets)
  expect(await list('/schedules')).toEqual(schedules.filter(({ isActive }) => isActive !== false))
  expect(await list('/leaves?userId=usr_boss')).toHaveLength(2)
  expect((await list('/projects/prj_1/tasks')).length).toBe(2)
  expect((await server.read('/invoices/inv_1')).body).toEqual({ data: invoices[0] })
  expect((await server.read('/users/usr_boss')).body).toEqual({ data: users[0] })
  const pages = await server.read('/leaves?limit=2')
  expect(pages.headers.get('Link')).toContain('cursor=')
})

it('the backup before the upgrade is deleted after 30 days', async () => {
  const url = createSqliteDatabase()
  const first = await openDatabase(url)
  await first.close()
  copyFileSync(fixture, url.slice('file:'.length))
  const start = async (clock: FakeClock): Promise<void> => {
    const place = { databaseUrl: url, host: '127.0.0.1', port: 0 }
    const sandbox = await startSandbox({ ...place, clock, log: silentLog })
    await sandbox.close()
  }
  const backup = `${url.slice('file:'.length)}.before-2`
  await start(createFakeClock(Date.now()))
  expect(existsSync(backup)).toBe(true)
  await start(createFakeClock(Date.now() + 31 * 86_400_000))
  expect(existsSync(backup)).toBe(false)
})

describe.each(databases)('upgrade on $name', ({ create }) => {
  it('tables of the previous release are converted', async () => {
    const url = await create()
    const before: Database<TablesBefore> = await openDatabase(url)
    const { table, migrations } = sandboxHistory
    await migrate(before, { table, migrations: migrations.slice(0, 1) })
    await before.queries.insertInto('company').values({ id: 1 }).execute()
    await before.queries
      .insertInto('users')
      .values({ id: 'usr_1', record: '{"id":"usr_1"}' })
      .execute()
    const row = { record: '{"id":"lv_1"}', position: 7, user_id: 'usr_1', status: null }
    await before.queries
      .insertInto('leaves')
      .values({ id: 'lv_1', ...row })
      .execute()
    await before.close()

    const server = await startSandboxServer(url)
    onTestFinished(() => server.close())
    expect((await server.read('/leaves?userId=usr_1')).body).toEqual({ data: [{ id: 'lv_1' }] })
    expect((await server.read('/users/usr_1')).body).toEqual({ data: { id: 'usr_1' } })
    const companies = server.database.queries.selectFrom('workforce_companies').selectAll()
    expect(await companies.execute()).toMatchObject([
      { id: 'main', loaded: null, next_position: 8 },
    ])
  })
})
