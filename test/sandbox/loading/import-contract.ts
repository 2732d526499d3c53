import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'

import { importFile, seedIfEmpty } from '../../../src/sandbox/loading/import-file.ts'
import { readRows } from '../../../src/sandbox/reading/lists.ts'
import { noteChange, readCompany, outlineCompany } from '../../../src/sandbox/records/companies.ts'
import {
  openSandboxDatabase,
  type SandboxDatabase,
} from '../../../src/sandbox/records/sandbox-database.ts'
import type { CompanyFile } from '../../../src/wire/company-file.ts'
import { leaveCodec } from '../../../src/wire/leave.ts'
import { leave, smallCompany } from '../company.ts'
import { listsOf, loadCompany, loadText } from './load-company.ts'

const other: CompanyFile = { users: [{ id: 'usr_other' }] }

const sizesOfSmall = { users: 3, leaves: 6, timesheets: 4, tasks: 3 }
const sizesOfOther = { users: 1, leaves: 0, timesheets: 0, tasks: 0 }

/** What loading a company promises, whatever the database. */
export function testImport(createDatabaseUrl: () => Promise<string>): void {
  let database: SandboxDatabase

  beforeAll(async () => {
    database = await openSandboxDatabase(await createDatabaseUrl())
    return () => database.close()
  })

  it('an import replaces everything', async () => {
    await loadCompany(database, smallCompany)
    await loadCompany(database, other)
    expect(await sizes(database)).toEqual(sizesOfOther)
  })

  it('a file with a fault changes nothing', async () => {
    await loadCompany(database, smallCompany)
    const before = await sizes(database)
    await expect(loadCompany(database, { users: [{}] })).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await sizes(database)).toEqual(before)
  })

  it('more rows than fit into one statement are loaded in order', async () => {
    const users = [{ id: 'usr_1' }]
    const leaves = Array.from({ length: 1100 }, (_, index) => leave(`lv_${index}`, 'usr_1'))
    await loadCompany(database, { users, leaves: leaves.toReversed() })
    const question = { companyId: 'main', list: 'leaves', filters: {} } as const
    const records = await readRows(database.queries, question, { limit: 2000 })
    const ids = records.map(({ record }) => leaveCodec.parse(JSON.parse(record)).id)
    expect(ids.toReversed()).toEqual(leaves.map(({ id }) => id))
  })

  it('a task keeps a projectId that it has in the file', async () => {
    const task = { id: 'tsk_1', title: 'Move', projectId: 0 }
    await loadCompany(database, {
      users: [{ id: 'usr_1' }],
      projects: [{ id: 'prj_1', tasks: [task] }],
    })
    const question = { companyId: 'main', list: 'tasks', filters: {} } as const
    const [row] = await readRows(database.queries, question, { limit: 1 })
    expect(JSON.parse(row?.record ?? '')).toEqual(task)
  })

  it('the same file twice changes nothing, however it is written', async () => {
    await loadCompany(database, smallCompany)
    const before = await readCompany(database.queries, 'main')
    expect(await loadCompany(database, smallCompany)).toMatchObject({ isChanged: false })
    const { users, ...others } = smallCompany
    await loadText(database, `\uFEFF${JSON.stringify({ ...others, users }, null, 2)}`)
    expect(await readCompany(database.queries, 'main')).toEqual(before)
    const fewer = { ...smallCompany, invoices: [] }
    expect(await loadCompany(database, fewer)).toMatchObject({ isChanged: true })
    const after = await readCompany(database.queries, 'main')
    expect(after.revision).not.toBe(before.revision)
    expect(after.generation).not.toBe(before.generation)
  })

  it('the same file is loaded again after a record was changed', async () => {
    await loadCompany(database, smallCompany)
    await database.queries.transaction().execute(async (writes) => {
      await writes.deleteFrom('users').where('id', '=', 'usr_1').execute()
      await noteChange(writes, 'main', { loaded: null })
      const original = { company_id: 'main', kind: 'users', id: 'usr_1', record: '{}', position: 0 }
      await writes.insertInto('workforce_originals').values(original).execute()
    })
    expect(await loadCompany(database, smallCompany)).toMatchObject({ isChanged: true })
    expect(await sizes(database)).toEqual(sizesOfSmall)
    const originals = database.queries.selectFrom('workforce_originals').selectAll()
    expect(await originals.execute()).toEqual([])
  })

  it('other companies are unchanged', async () => {
    await loadCompany(database, smallCompany)
    const before = await readCompany(database.queries, 'main')
    await loadCompany(database, smallCompany, 'other')
    await loadCompany(database, other, 'other')
    expect(await readCompany(database.queries, 'main')).toEqual(before)
    expect(await sizes(database, 'main')).toEqual(sizesOfSmall)
    expect(await sizes(database, 'other')).toEqual(sizesOfOther)
    await loadCompany(database, {}, 'other')
  })

  it('records added later are last', async () => {
    await loadCompany(database, smallCompany)
    expect(await readCompany(database.queries, 'main')).toMatchObject({ next_position: 6 })
    await loadCompany(database, {})
    expect(await readCompany(database.queries, 'main')).toMatchObject({ next_position: 0 })
  })

  const whole = JSON.stringify(smallCompany)
  it.each([
    ['truncated', whole.slice(0, -20), /is not JSON: it ends too early\.$/],
    ['empty', '', /^The file is empty\.$/],
    [
      'mistyped',
      whole.replace(/"2026-01-05T/, '"2026-13-05T'),
      /^Nothing was loaded: one fault\.$/,
    ],
    ['without people', JSON.stringify({ users: [] }), /^Nothing was loaded: one fault\.$/],
  ])('a file that is %s changes nothing', async (_, text, message) => {
    await loadCompany(database, other)
    const before = await readCompany(database.queries, 'main')
    const file = { name: 'The file', bytes: Buffer.from(text) }
    await expect(importFile(database, file)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    })
    expect(await readCompany(database.queries, 'main')).toEqual(before)
    expect(await sizes(database)).toEqual(sizesOfOther)
  })

  it('the outline has all projects, and only the schedule of the sample', async () => {
    await loadCompany(database, smallCompany)
    expect(await outlineCompany(database)).toEqual({
      projectIds: ['prj_1', 'prj_2'],
      scheduleIds: [],
    })
    const schedules = ['sch_day', 'sch_2'].map((id) => ({ id, type: 'FIXED' }))
    await loadCompany(database, { schedules })
    expect(await outlineCompany(database)).toEqual({
      projectIds: [],
      scheduleIds: ['sch_day'],
    })
  })

  it('a company is seeded once, and never over an imported one', async () => {
    const empty = await openSandboxDatabase(await createDatabaseUrl())
    onTestFinished(() => empty.close())
    expect(await seedIfEmpty(empty, listsOf(other))).toBe(true)
    expect(await seedIfEmpty(empty, listsOf(smallCompany))).toBe(false)
    await loadCompany(empty, {})
    expect(await seedIfEmpty(empty, listsOf(smallCompany))).toBe(false)
    expect(await sizes(empty)).toMatchObject({ users: 0 })
  })
}

/** What nodes on one database may do at once. */
export function testImportAtOnce(createDatabaseUrl: () => Promise<string>): void {
  let nodes: SandboxDatabase[]

  beforeEach(async () => {
    const url = await createDatabaseUrl()
    nodes = await Promise.all([openSandboxDatabase(url), openSandboxDatabase(url)])
    return async () => {
      await Promise.all(nodes.map((node) => node.close()))
    }
  })

  it('of nodes that start together one seeds', async () => {
    const seeded = await Promise.all(nodes.map((node) => seedIfEmpty(node, listsOf(smallCompany))))
    expect(seeded.filter(Boolean)).toEqual([true])
    expect(await Promise.all(nodes.map((node) => sizes(node)))).toEqual([
      sizesOfSmall,
      sizesOfSmall,
    ])
  })

  it('an import waits for a running one, so that two are never mixed', async () => {
    const [first, second] = nodes as [SandboxDatabase, SandboxDatabase]
    await loadCompany(first, {})
    const hindrance = await first.queries.startTransaction().execute()
    await hindrance
      .insertInto('users')
      .values({ company_id: 'main', id: 'usr_1', record: '{}' })
      .execute()
    const underWay = loadCompany(first, smallCompany)
    await waitingFor(first, 1)

    const next = loadCompany(second, other)
    await Promise.race([next, waitingFor(first, 2)])
    await hindrance.rollback().execute()
    await Promise.all([underWay, next])
    expect(await sizes(first)).toEqual(sizesOfOther)
  })
}

/** Resolves as soon as so many sessions of this PostgreSQL database wait for a lock. */
async function waitingFor(database: SandboxDatabase, count: number): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(database.queries)
  if (rows.length < count) await waitingFor(database, count)
}

async function sizes(
  { queries }: SandboxDatabase,
  companyId = 'main',
): Promise<Record<string, number>> {
  const tables = ['users', 'leaves', 'timesheets', 'tasks'] as const
  const counts = tables.map(async (table) => {
    const rows = await queries
      .selectFrom(table)
      .select('id')
      .where('company_id', '=', companyId)
      .execute()
    return [table, rows.length] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}
