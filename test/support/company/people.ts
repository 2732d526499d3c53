/* Small companies by name, in the wire's own shape, round Monday 5 January 2026. */
import type { CompanyRecords, Json } from './company-server.ts'

export const ada = { id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace', isActive: true }
export const bob = { id: 'usr_bob', firstName: 'Bob', lastName: 'Noyce', isActive: true }

export function leave(id: string, startDate: string, more: object = {}): Json {
  return {
    id,
    startDate: `${startDate}T00:00:00.000Z`,
    endDate: `${startDate}T00:00:00.000Z`,
    days: 1,
    status: 'APPROVED',
    leaveType: { name: `Leave ${id}`, category: 'ANNUAL' },
    ...more,
  }
}

export function timesheet(
  id: string,
  userId: string,
  periodStart: string,
  periodEnd: string,
): Json & { readonly userId: string } {
  const midnight = 'T00:00:00.000Z'
  return {
    id,
    userId,
    periodStart: periodStart + midnight,
    periodEnd: periodEnd + midnight,
    status: 'DRAFT',
  }
}

export function task(id: string, dueDate: string, assignees: readonly object[]): Json {
  return { id, title: `Task ${id}`, dueDate: `${dueDate}T00:00:00.000Z`, assignees }
}

/** Ada and Bob, each with leaves, timesheets and tasks of their own. */
export function twoPeople(): CompanyRecords {
  return {
    users: [ada, bob],
    leaves: {
      usr_ada: [leave('lv_ada1', '2026-01-12'), leave('lv_ada2', '2026-02-10')],
      usr_bob: [leave('lv_bob1', '2026-01-13')],
    },
    timesheets: [
      timesheet('clqada', 'usr_ada', '2026-01-01', '2026-01-15'),
      timesheet('clqbob', 'usr_bob', '2026-01-01', '2026-01-15'),
    ],
    tasks: {
      prj_web: [
        task('tsk_ada', '2026-01-20', [ada]),
        task('tsk_bob', '2026-01-21', [bob]),
        task('tsk_both', '2026-01-22', [ada, bob]),
      ],
    },
    schedules: [
      {
        id: 'sch_day',
        name: 'Day shift',
        type: 'FIXED',
        isActive: true,
        pattern: { monday: { start: '09:00', end: '17:00' } },
      },
    ],
    invoices: [],
  }
}
