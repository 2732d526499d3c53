import { randomUUID } from 'node:crypto'

import type { Transaction } from 'kysely'

import { createRests, type Rests } from '../../json/rest.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import { noteChange } from '../records/companies.ts'
import {
  leaveRow,
  projectRow,
  recordRow,
  type RowPlace,
  scheduleRow,
  taskRow,
  timesheetRow,
} from '../records/company-rows.ts'
import type { SandboxTables } from '../records/tables.ts'
import { clearCompany } from './clear-company.ts'
import type { CompanyLists, ProjectRecords } from './company-lists.ts'
import { insertRows } from './insert-rows.ts'

type Writes = Transaction<SandboxTables>

/**
 * Replaces all that the company holds, which must be locked, by these lists; `loaded` is their hash, by which the same file
 * is known again. Nothing that takes long is done without rests.
 */
export async function replaceCompany(
  writes: Writes,
  companyId: string,
  lists: CompanyLists,
  loaded: string | null,
): Promise<void> {
  const rests = createRests()
  await clearCompany(writes, companyId, rests)
  const next_position = await insertLists(writes, companyId, lists, rests)
  await noteChange(writes, companyId, { generation: randomUUID(), loaded, next_position })
}

/** Gives the first position that none of them has. */
async function insertLists(
  writes: Writes,
  company_id: string,
  lists: CompanyLists,
  rests: Rests,
): Promise<number> {
  const at = (position: number): RowPlace => ({ company_id, position })
  const users = made(lists.users, (it, index) => recordRow(it, at(index)))
  const invoices = made(lists.invoices, (it, index) => recordRow(it, at(index)))
  const schedules = made(lists.schedules, (it, index) => scheduleRow(it, at(index)))
  const leaves = made(lists.leaves, (it, index) => leaveRow(it, at(index)))
  const timesheets = made(lists.timesheets, (it, index) => timesheetRow(it, at(index)))
  const projects: SandboxTables['projects'][] = []
  const tasks = tasksOf(lists.projects, (it) => projects.push(projectRow(it, at(projects.length))))
  await insertRows(writes, 'users', users, rests)
  await insertRows(writes, 'invoices', invoices, rests)
  return Math.max(
    await insertRows(
      writes,
      'tasks',
      made(tasks, ({ project_id, task }, index) => taskRow(task, { ...at(index), project_id })),
      rests,
    ),
    await insertRows(writes, 'projects', projects, rests),
    await insertRows(writes, 'schedules', schedules, rests),
    await insertRows(writes, 'leaves', leaves, rests),
    await insertRows(writes, 'timesheets', timesheets, rests),
  )
}

function* made<T, Row>(
  records: Iterable<T>,
  make: (record: T, index: number) => Row,
): Generator<Row> {
  let index = 0
  for (const record of records) {
    yield make(record, index)
    index += 1
  }
}

interface TaskOfProject {
  readonly project_id: string
  readonly task: CompanyRecords['projects']['tasks'][number]
}

/** The tasks of all projects; of each project it is told when it comes. */
function* tasksOf(
  projects: Iterable<ProjectRecords>,
  onProject: (project: ProjectRecords) => unknown,
): Generator<TaskOfProject> {
  for (const project of projects) {
    onProject(project)
    for (const task of project.tasks) yield { project_id: project.id, task }
  }
}
