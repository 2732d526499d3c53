/* Companies of any make, small enough that their records meet: same days, same people, statuses that nobody lists. */
import fc, { type Arbitrary } from 'fast-check'

import type { CompanyFile } from '../../src/wire/company-file.ts'

export const userIds = ['usr_1', 'usr_2', 'usr_ä/?#%&', 'USR_1', 'usr_']
export const projectIds = ['prj_1', 'prj_2', 'prj/3']
const days = ['2026-01-01', '2026-01-15', '2026-02-01', '2026-02-15', '1999-12-31']

const user = fc.constantFrom(...userIds.slice(0, 4))
const day = fc.constantFrom(...days).map((it) => `${it}T00:00:00.000Z`)
const nullable = <T>(values: readonly T[]): Arbitrary<T | null> => fc.constantFrom(...values, null)

const leave = fc.record({
  userId: user,
  startDate: day,
  endDate: day,
  status: fc.constantFrom('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED', 'WITHDRAWN'),
  reason: nullable(['Ä "quoted" \u2028', '😀']),
})

const timesheet = fc.record({
  userId: user,
  periodStart: day,
  periodEnd: day,
  status: fc.constantFrom('DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED', 'LOST'),
  entries: fc.option(
    fc.array(fc.record({ id: fc.constant('ent_1'), hoursWorked: fc.constant(7.5) })),
  ),
})

const task = fc.record({ title: fc.constantFrom('One', 'Two'), archived: fc.boolean() })

const schedule = fc.record({
  type: nullable(['FIXED', 'FLEXIBLE', 'ROTATING', 'ODD']),
  isActive: nullable([true, false]),
})

/** The records of a list, each with an id of its own in which the order of the list does not show. */
function list<T extends object>(
  record: Arbitrary<T>,
  prefix: string,
  maxLength: number,
): Arbitrary<(T & { id: string })[]> {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { maxLength })
  return numbers.chain((ids) =>
    fc.tuple(...ids.map((id) => record.map((it) => ({ ...it, id: `${prefix}${id}` })))),
  )
}

/** Any company file. */
export const companyFiles: Arbitrary<CompanyFile> = fc.record({
  users: fc.constant(
    userIds.slice(0, 4).map((id, index) => ({
      id,
      firstName: `First ${index}`,
      assignedManagerId: userIds[index + 1] ?? null,
    })),
  ),
  leaves: list(leave, 'lv_', 12),
  timesheets: list(timesheet, 'clq', 14),
  schedules: list(schedule, 'sch_', 8),
  projects: fc.tuple(list(task, 'tsk_a', 6), list(task, 'tsk_b', 6)).map(([one, two]) => [
    { id: 'prj_1', tasks: one },
    { id: 'prj/3', tasks: two },
  ]),
  invoices: list(fc.record({ status: fc.constantFrom('ISSUED', 'PAID') }), 'inv_', 3),
})
