import type { PlainDate } from '../../domain/plain-date.ts'
import { basePath, type Operation, type OperationId } from '../operations.ts'
import { sampleCompany } from '../sample-company.ts'

export interface SampleAnswer {
  readonly values: Readonly<Record<string, string>>
  readonly body: { readonly data: unknown }
}

export type SampleAnswers = Readonly<Record<OperationId, SampleAnswer>>

/** Returns an example of each operation, with the sample company of that day. */
export function sampleAnswers(today: PlainDate): SampleAnswers {
  const company = sampleCompany({ today })
  const { users = [], leaves = [], projects = [], schedules = [] } = company
  const { timesheets = [], invoices = [] } = company
  const userId = 'usr_ada'
  const isOwn = (record: { readonly userId: string }): boolean => record.userId === userId
  const user = users.find(({ id }) => id === userId)
  const manager = users.find(({ id }) => id === user?.assignedManagerId)
  const assignedManager = manager && {
    id: manager.id,
    firstName: manager.firstName,
    lastName: manager.lastName,
  }
  const tasks = projects.find(({ id }) => id === 'prj_web')?.tasks ?? []
  return {
    listTimesheets: answer({ userId, limit: '1' }, timesheets.filter(isOwn).slice(0, 1)),
    getInvoice: answer(
      { id: 'inv_1' },
      invoices.find(({ id }) => id === 'inv_1'),
    ),
    getUser: answer({ id: userId }, { ...user, assignedManager }),
    listLeaves: answer(
      { userId, limit: '2' },
      leaves
        .filter(isOwn)
        .slice(0, 2)
        .map(({ userId: _, ...leave }) => leave),
    ),
    listTasksForProject: answer(
      { id: 'prj_web', limit: '2' },
      tasks
        .filter(({ archived }) => archived !== true)
        .slice(0, 2)
        .map(({ archived: _, ...task }) => task),
    ),
    listSchedules: answer(
      { type: 'FIXED' },
      schedules.filter(({ type, isActive }) => type === 'FIXED' && isActive !== false),
    ),
  }
}

function answer(values: SampleAnswer['values'], data: unknown): SampleAnswer {
  return { values, body: { data } }
}

/** Returns the path and query of the request. */
export function addressOf(
  { path }: Pick<Operation, 'path'>,
  { id = '', ...query }: Readonly<Record<string, string>>,
): string {
  const asked = new URLSearchParams(query).toString()
  const address = `${basePath}${path.replace('{id}', encodeURIComponent(id))}`
  return asked === '' ? address : `${address}?${asked}`
}
