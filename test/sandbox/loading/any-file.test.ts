/* Any company file is read back as it was written; whatever is damaged in it is named by its place. */
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { AppError } from '../../../src/domain/errors.ts'
import { readRows } from '../../../src/sandbox/reading/lists.ts'
import {
  openSandboxDatabase,
  type SandboxDatabase,
} from '../../../src/sandbox/records/sandbox-database.ts'
import { wireRecords } from '../../support/company/wire-arbitraries.ts'
import { databases } from '../../support/database/databases.ts'
import { asLoaded, checkCompany, loadCompany } from './load-company.ts'

type Json = Record<string, unknown>
type Lists = Readonly<Record<string, readonly Json[]>>

/** Records with ids of their own, of one of few people. */
function listOf(record: Arbitrary<object>, prefix: string): Arbitrary<Json[]> {
  return fc
    .array(fc.tuple(record, fc.integer({ min: 0, max: 2 })), { maxLength: 4 })
    .map((records) =>
      records.map(([own, user], index) => ({
        ...own,
        id: `${prefix}${index}`,
        ...(prefix === 'lv_' || prefix === 'clq' ? { userId: `usr_${user}` } : {}),
      })),
    )
}

const people = fc
  .tuple(wireRecords.user, wireRecords.user, wireRecords.user)
  .map((users) => users.map((user, index): Json => ({ ...user, id: `usr_${index}` })))

const files: Arbitrary<Lists> = fc
  .record({
    users: people,
    leaves: listOf(wireRecords.leave, 'lv_'),
    tasks: listOf(wireRecords.task, 'tsk_'),
    schedules: listOf(wireRecords.schedule, 'sch_'),
    timesheets: listOf(wireRecords.timesheet, 'clq'),
    invoices: listOf(wireRecords.invoice, 'inv_'),
  })
  .map(({ tasks, ...lists }) => ({ ...lists, projects: projectsOf(tasks) }))

/** Every other one in each of two. */
function projectsOf(tasks: readonly Json[]): Json[] {
  return [0, 1].map((odd) => ({
    id: `prj_${odd}`,
    name: null,
    tasks: tasks.filter((_, index) => index % 2 === odd),
  }))
}

it('loads exactly the records of the file', () => {
  fc.assert(
    fc.property(files, (file) => {
      expect(asLoaded(file)).toEqual(file)
    }),
  )
})

describe.each(databases)('any file on $name', ({ create }) => {
  it('lists exactly the records of the file', async () => {
    const database = await openSandboxDatabase(await create())
    onTestFinished(() => database.close())
    const property = fc.asyncProperty(files, async (file) => {
      await loadCompany(database, file)
      const leaves = file['leaves']?.map(({ userId: _, ...leave }) => leave)
      expect(await listed(database, 'leaves', {})).toEqual(leaves)
      const byStart = file['timesheets']?.toSorted((one, other) => startOf(one) - startOf(other))
      expect(await listed(database, 'timesheets', {})).toEqual(byStart)
      for (const { id, tasks } of file['projects'] ?? []) {
        expect(await listed(database, 'tasks', { project_id: String(id), archived: 0 })).toEqual(
          tasks,
        )
      }
    })
    await fc.assert(property, { numRuns: 20 })
  })
})

/** One place of a file each, with what must not stand there. */
const damages: Readonly<Record<string, readonly [field: string, wrong: readonly unknown[]][]>> = {
  users: [
    ['id', [3, '', null, 'x'.repeat(257)]],
    ['isActive', ['yes']],
    ['createdAt', ['2026']],
  ],
  leaves: [
    ['id', [{}]],
    ['endDate', ['2026-02-30T00:00:00Z', null]],
    ['userId', ['usr_gone']],
  ],
  timesheets: [
    ['periodStart', [7]],
    ['status', [null]],
    ['userId', ['usr_3', 3]],
  ],
  schedules: [
    ['type', [1]],
    ['pattern', ['monday', []]],
  ],
  invoices: [
    ['totalAmount', ['much']],
    ['recipient', ['Ada']],
    ['id', ['\u0000']],
  ],
  projects: [
    ['tasks', [null, {}]],
    ['name', [3]],
  ],
}

const damage = fc
  .constantFrom(...Object.keys(damages))
  .chain((list) => fc.tuple(fc.constant(list), fc.constantFrom(...(damages[list] ?? []))))
  .chain(([list, [field, wrong]]) =>
    fc.record({
      list: fc.constant(list),
      field: fc.constant(field),
      wrong: fc.constantFrom(...wrong),
      at: fc.nat({ max: 3 }),
    }),
  )

it('any damage is reported by its path', () => {
  fc.assert(
    fc.property(files, damage, (file, { list, field, wrong, at }) => {
      const records = file[list] ?? []
      fc.pre(records.length > 0)
      const index = at % records.length
      const damaged = records.map((own, number) =>
        number === index ? { ...own, [field]: wrong } : own,
      )
      expect(pointersOf({ ...file, [list]: damaged })).toEqual([`/${list}/${index}/${field}`])
    }),
  )
})

it('a damaged task is reported by its path', () => {
  const tasks = fc.array(wireRecords.task, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(tasks, fc.nat({ max: 3 }), (given, at) => {
      const index = at % given.length
      const some = given.map((own, number) => ({
        ...own,
        id: `tsk_${number}`,
        ...(number === index ? { title: 3 } : {}),
      }))
      expect(
        pointersOf({
          projects: [
            { id: 'p', tasks: [] },
            { id: 'q', tasks: some },
          ],
        }),
      ).toEqual([`/projects/1/tasks/${index}/title`])
    }),
  )
})

async function listed(
  { queries }: SandboxDatabase,
  list: 'leaves' | 'timesheets' | 'tasks',
  filters: Readonly<Record<string, string | number>>,
): Promise<unknown> {
  const rows = await readRows(queries, { companyId: 'main', list, filters }, { limit: 100 })
  return rows.map(({ record }) => JSON.parse(record) as unknown)
}

function startOf({ periodStart }: Json): number {
  return Date.parse(String(periodStart))
}

function pointersOf(file: object): readonly string[] {
  try {
    checkCompany(file)
    return []
  } catch (error) {
    if (error instanceof AppError) return error.faults.map(({ pointer }) => pointer)
    throw error
  }
}
