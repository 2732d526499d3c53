/* Whatever is asked of whatever company: SQLite, PostgreSQL and a few lines over the file give the same, whole and page by page. */
import fc, { type Arbitrary } from 'fast-check'
import { beforeAll, expect, inject, it } from 'vitest'

import { lockCompany, noteChange } from '../../src/sandbox/records/companies.ts'
import { rowOf } from '../../src/sandbox/records/record-kinds.ts'
import { insertRows } from '../../src/sandbox/records/sandbox-database.ts'
import type { CompanyFile } from '../../src/wire/company-file.ts'
import { databases } from '../support/database/databases.ts'
import { listEnvelope } from './loading/load-company.ts'
import { companyFiles, projectIds, userIds } from './random-file.ts'
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts'

interface Question {
  readonly list: 'leaves' | 'timesheets' | 'schedules' | 'tasks'
  readonly filters: Readonly<Record<string, string>>
  readonly project: string
}

type Filtered = { readonly [name: string]: unknown }

const moments = ['2026-01-01', '2026-01-15', '2026-01-15T00:00:00.001Z', '1999-12-31', '2026-02-01']
const statuses = ['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'DRAFT', 'SUBMITTED']

const filters = {
  leaves: { userId: userIds, status: statuses.slice(0, 4) },
  timesheets: {
    userId: userIds,
    status: ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'],
    startDate: moments,
    endDate: moments,
  },
  schedules: { type: ['FIXED', 'FLEXIBLE', 'ROTATING'], isActive: ['true', 'false'] },
  tasks: {},
} as const

const questions: Arbitrary<Question> = fc
  .constantFrom(...(Object.keys(filters) as Question['list'][]))
  .chain((list) =>
    fc.record({
      list: fc.constant(list),
      filters: fc.record(
        Object.fromEntries(
          Object.entries(filters[list]).map(([name, values]) => [name, fc.constantFrom(...values)]),
        ),
        { requiredKeys: [] },
      ),
      project: fc.constantFrom(...projectIds),
    }),
  )

/** What is to be answered: null for 404. */
function modelOf(company: CompanyFile, { list, filters: asked, project }: Question) {
  const { leaves = [], timesheets = [], schedules = [], projects = [] } = company
  const has = (record: Filtered, name: string): boolean =>
    asked[name] === undefined || record[name] === asked[name]
  const own = (record: Filtered): boolean => has(record, 'userId') && has(record, 'status')
  const [from, to] = [
    Date.parse(asked['startDate'] ?? '0000-01-01'),
    Date.parse(asked['endDate'] ?? '9999-12-31'),
  ]
  if (list === 'leaves') return leaves.filter(own).map(({ userId: _, ...leave }) => leave)
  if (list === 'timesheets')
    return timesheets
      .filter(
        (record) =>
          own(record) &&
          Date.parse(record.periodStart) >= from &&
          Date.parse(record.periodEnd) <= to,
      )
      .toSorted((a, b) => Date.parse(a.periodStart) - Date.parse(b.periodStart))
  if (list === 'schedules')
    return schedules.filter(
      (record) =>
        has(record, 'type') && (record.isActive !== false) === (asked['isActive'] !== 'false'),
    )
  const tasks = projects.find(({ id }) => id === project)?.tasks
  return tasks?.filter(({ archived }) => !archived).map(({ archived: _, ...task }) => task) ?? null
}

/** As many as there is time for. */
const runs = inject('isThorough') ? 600 : 15

let servers: readonly SandboxServer[]

beforeAll(async () => {
  servers = await Promise.all(
    databases.map(async ({ create }) => startSandboxServer(await create(), ['main', 'other'])),
  )
  return async () => {
    await Promise.all(servers.map((server) => server.close()))
  }
})

it('lists match the model, whole and in pages, next to another company', async () => {
  const cases = fc.tuple(
    companyFiles,
    companyFiles,
    fc.array(questions, { minLength: 6, maxLength: 6 }),
    fc.integer({ min: 1, max: 5 }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([company, other, asked, limit]) => {
      await Promise.all(
        servers.flatMap((server) => [server.load(company, 'main'), server.load(other, 'other')]),
      )
      for (const question of asked) {
        const expected = modelOf(company, question)
        for (const server of servers) {
          expect(await readWhole(server, question)).toEqual(expected)
          expect(await readPages(server, question, { limit })).toEqual(expected)
        }
      }
    }),
    { numRuns: runs },
  )
})

it('records that were there appear once and in order while others are added between pages', async () => {
  const cases = fc.tuple(companyFiles, companyFiles, questions, fc.integer({ min: 1, max: 3 }))
  await fc.assert(
    fc.asyncProperty(cases, async ([company, more, question, limit]) => {
      const expected = modelOf(company, question)
      const added = renamed(more)
      for (const server of servers) {
        await server.load(company, 'main')
        const between = adding(server, added)
        const read = await readPages(server, question, { limit, between })
        const there = read?.filter((record) => !idOf(record).includes('new')) ?? null
        expect(there).toEqual(expected)
        expect(new Set(read?.map(idOf)).size).toBe(read?.length ?? 0)
        expect(await readPages(server, question, { limit })).toEqual(
          await readWhole(server, question),
        )
      }
    }),
    { numRuns: runs },
  )
})

it('single records match the model', async () => {
  await fc.assert(
    fc.asyncProperty(companyFiles, async (company) => {
      await Promise.all(servers.map((server) => server.load(company, 'main')))
      const { users = [], invoices = [] } = company
      for (const server of servers) {
        for (const user of users) {
          const manager = users.find(({ id }) => id === user.assignedManagerId)
          const assignedManager = manager && { id: manager.id, firstName: manager.firstName }
          const { body } = await server.read(`/users/${encodeURIComponent(user.id)}`, 'main')
          expect(body).toEqual({ data: manager ? { ...user, assignedManager } : user })
        }
        for (const invoice of invoices) {
          expect((await server.read(`/invoices/${invoice.id}`, 'main')).body).toEqual({
            data: invoice,
          })
        }
        expect((await server.read('/invoices/inv_none', 'main')).status).toBe(404)
      }
    }),
    { numRuns: runs / 3 },
  )
})

function pathOf({ list, project }: Question): string {
  return list === 'tasks' ? `/projects/${encodeURIComponent(project)}/tasks` : `/${list}`
}

async function readWhole(
  server: SandboxServer,
  question: Question,
): Promise<readonly unknown[] | null> {
  const query = new URLSearchParams(question.filters)
  return recordsOf(await server.read(`${pathOf(question)}?${query.toString()}`, 'main'))
}

interface Paging {
  readonly limit: number
  readonly between?: () => Promise<void>
}

/** Follows the links to the end. */
async function readPages(
  server: SandboxServer,
  question: Question,
  { limit, between }: Paging,
): Promise<readonly unknown[] | null> {
  const query = new URLSearchParams({ ...question.filters, limit: String(limit) })
  const read: unknown[] = []
  let path: string | undefined = `${pathOf(question)}?${query.toString()}`
  while (path !== undefined) {
    const told = await server.read(path, 'main')
    const records = recordsOf(told)
    if (!records) return null
    expect(records.length).toBeLessThanOrEqual(limit)
    read.push(...records)
    path = /^<\/api\/public\/v1(.*)>; rel="next"$/.exec(told.headers.get('Link') ?? '')?.[1]
    if (path !== undefined) await between?.()
  }
  return read
}

function recordsOf({ status, body }: { status: number; body: unknown }): readonly unknown[] | null {
  if (status === 404) return null
  expect(status).toBe(200)
  return listEnvelope.parse(body).data
}

function idOf(record: unknown): string {
  return String(Object(record).id)
}

/** The same company with other ids, each found out by its name. */
function renamed(company: CompanyFile): CompanyFile {
  return JSON.parse(JSON.stringify(company).replaceAll(/"(lv_|clq|sch_|tsk_)/g, '"$1new'))
}

/** Adds the next record of each list, each time it is called. */
function adding({ database }: SandboxServer, company: CompanyFile): () => Promise<void> {
  const { leaves = [], timesheets = [], schedules = [], projects = [] } = company
  const left = { leaves: [...leaves], timesheets: [...timesheets], schedules: [...schedules] }
  const tasks = projects.flatMap(({ id, tasks: some }) => some.map((task) => ({ id, task })))
  return () =>
    database.queries.transaction().execute(async (writes) => {
      const { next_position: position } = await lockCompany(writes, 'main')
      const place = { company_id: 'main', position }
      const [leave, timesheet] = [left.leaves.pop(), left.timesheets.pop()]
      const [schedule, task] = [left.schedules.pop(), tasks.pop()]
      if (leave) await insertRows(writes, 'leaves', [rowOf('leaves', leave, place)])
      if (timesheet) await insertRows(writes, 'timesheets', [rowOf('timesheets', timesheet, place)])
      if (schedule) await insertRows(writes, 'schedules', [rowOf('schedules', schedule, place)])
      if (task)
        await insertRows(writes, 'tasks', [
          rowOf('tasks', { ...task.task, projectId: task.id }, place),
        ])
      await noteChange(writes, 'main', { next_position: position + 1 })
    })
}
