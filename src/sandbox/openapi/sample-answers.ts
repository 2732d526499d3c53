import type { PlainDate } from '../../domain/plain-date.ts'
import type { CompanyFile } from '../../wire/company-file.ts'
import { basePath, type Operation, type OperationId } from '../operations.ts'
import { sampleCompany } from '../sample-company.ts'

/** One request of an operation to the sample company, and what it answers. */
export interface SampleAnswer {
  /** By the names of the parameters. */
  readonly values: Readonly<Record<string, string>>
  readonly body: { readonly data: unknown }
}

export type SampleAnswers = Readonly<Record<OperationId, SampleAnswer>>

const employee = 'usr_ada'
const project = 'prj_web'
const invoice = 'inv_1'

/** One answer of each operation, as the sample company of that day gives it. */
export function sampleAnswers(today: PlainDate): SampleAnswers {
  const company = sampleCompany({ today })
  return {
    listTimesheets: answer({ userId: employee, limit: '1' }, timesheetsOf(company).slice(0, 1)),
    getInvoice: answer(
      { id: invoice },
      company.invoices?.find(({ id }) => id === invoice),
    ),
    getUser: answer({ id: employee }, userOf(company)),
    listLeaves: answer({ userId: employee, limit: '2' }, leavesOf(company).slice(0, 2)),
    listTasksForProject: answer({ id: project, limit: '2' }, tasksOf(company).slice(0, 2)),
    listSchedules: answer({ type: 'FIXED' }, schedulesOf(company)),
  }
}

/** The address of the request, from the root of the program on. */
export function addressOf(
  { path }: Pick<Operation, 'path'>,
  { id = '', ...query }: Readonly<Record<string, string>>,
): string {
  const asked = new URLSearchParams(query).toString()
  const address = `${basePath}${path.replace('{id}', encodeURIComponent(id))}`
  return asked === '' ? address : `${address}?${asked}`
}

function answer(values: SampleAnswer['values'], data: unknown): SampleAnswer {
  return { values, body: { data } }
}

function timesheetsOf({ timesheets = [] }: CompanyFile): readonly object[] {
  return timesheets.filter(({ userId }) => userId === employee)
}

function userOf({ users = [] }: CompanyFile): object | undefined {
  const user = users.find(({ id }) => id === employee)
  const manager = users.find(({ id }) => id === user?.assignedManagerId)
  if (!user || !manager) return user
  const { id, firstName, lastName } = manager
  return { ...user, assignedManager: { id, firstName, lastName } }
}

function leavesOf({ leaves = [] }: CompanyFile): readonly object[] {
  return leaves
    .filter(({ userId }) => userId === employee)
    .map(({ userId: _, ...leave }): object => leave)
}

function tasksOf({ projects = [] }: CompanyFile): readonly object[] {
  const tasks = projects.find(({ id }) => id === project)?.tasks ?? []
  return tasks
    .filter(({ archived }) => archived !== true)
    .map(({ archived: _, ...task }): object => task)
}

function schedulesOf({ schedules = [] }: CompanyFile): readonly object[] {
  return schedules.filter(({ type, isActive }) => type === 'FIXED' && isActive !== false)
}
