/* Eight people whose ids a careless filter takes for one another, in the wire's own shape. */
import { Temporal } from 'temporal-polyfill'

import type { CompanyRecords, Json } from '../company/company-server.ts'
import { leave, task, timesheet } from '../company/people.ts'

/** Each the beginning, the end, a part, another case or another writing of the number of some other. */
export const alikeIds = ['usr_1', 'usr_10', 'usr_100', 'usr_a', 'usr_A', 'usr_ab', '1', '01']

/** Has leaves and nothing else: nobody has heard of them. */
export const stranger = 'usr_stranger'

const leavesEach = 4
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** A company of these people: leaves, timesheets and tasks of each, one schedule and an invoice, round that day. */
export function companyOf(
  ids: readonly string[] = alikeIds,
  today: string = '2026-01-05',
): CompanyRecords {
  const day = (days: number): string => Temporal.PlainDate.from(today).add({ days }).toString()
  return {
    users: ids.map((id, index) => person(id, index)),
    leaves: Object.fromEntries(ids.map((id, index) => [id, leavesOf(index, day)])),
    timesheets: ids.flatMap((id, index) => [
      withEntries(timesheet(`clq${index}a`, id, day(-4), day(10))),
      withEntries(timesheet(`clq${index}b`, id, day(11), day(26))),
    ]),
    tasks: {
      prj_web: [
        ...ids.map((id, index) => wholeTask(`tsk_${index}`, day(5 + (index % 20)), [id])),
        wholeTask('tsk_all', day(30), ids),
      ],
    },
    schedules: [{ ...daySchedule }, { ...daySchedule, id: 'sch_late', name: 'Late shift' }],
    invoices: [
      {
        id: 'inv_1',
        invoiceNumber: 'INV-001',
        status: 'ISSUED',
        issueDate: `${day(0)}T00:00:00.000Z`,
        dueDate: `${day(20)}T00:00:00.000Z`,
        totalAmount: 1200,
        currency: 'EUR',
        recipient: { name: 'Acme', email: 'acme@example.com' },
        lineItems: [],
      },
    ],
  }
}

/** Gives the company a person whose leaves are never read. */
export function addStranger({ leaves }: CompanyRecords): void {
  leaves[stranger] = [1, 2, 3].map((number) => newLeave(`lv_stranger${number}`, number))
}

/** A leave that nobody has had before. */
export function newLeave(id: string, daysLater: number): Json {
  const start = Temporal.PlainDate.from('2026-02-16').add({ days: daysLater % 40 })
  return leave(id, start.toString())
}

const daySchedule = {
  id: 'sch_day',
  name: 'Day shift',
  type: 'FIXED',
  isActive: true,
  pattern: { monday: { start: '09:00', end: '17:00' } },
}

function person(id: string, index: number): Json {
  return {
    id,
    email: `person${index}@example.com`,
    firstName: `First${index}`,
    lastName: `Last${index}`,
    role: 'EMPLOYEE',
    employmentType: 'FULL_TIME',
    position: 'Engineer',
    isActive: true,
    assignedManagerId: 'usr_boss',
    assignedManager: { id: 'usr_boss', firstName: 'The', lastName: 'Boss' },
    createdAt: '2025-01-01T00:00:00.000Z',
    updatedAt: '2025-01-01T00:00:00.000Z',
  }
}

/** Of different people on different days, as far as there are days. */
function leavesOf(index: number, day: (days: number) => string): Json[] {
  return Array.from({ length: leavesEach }, (_, number) =>
    leave(`lv_${index}${letters[number]}`, day(7 + (index % 8) + 9 * number), {
      reason: `Reason of ${index}`,
    }),
  )
}

function withEntries<T extends Json>(sheet: T): T {
  const entry = {
    id: `ent_${sheet.id}`,
    date: '2026-01-05T00:00:00.000Z',
    hoursWorked: 7,
    expectedHours: 8,
    notes: 'as usual',
  }
  return { ...sheet, companyId: 'comp_1', entries: [entry] }
}

function wholeTask(id: string, dueDate: string, assignees: readonly string[]): Json {
  const named = assignees.map((assignee) => ({ id: assignee, firstName: 'F', lastName: 'L' }))
  return {
    ...task(id, dueDate, named),
    description: 'What there is to do',
    status: 'IN_PROGRESS',
    priority: 'HIGH',
    estimatedHours: 8,
    actualHours: 2.5,
    createdAt: '2025-12-01T00:00:00.000Z',
    updatedAt: '2025-12-02T00:00:00.000Z',
  }
}
