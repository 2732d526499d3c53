import { z } from 'zod'

import type { RecordName } from './field-notes.ts'
import type { SampleAnswers } from './sample-answers.ts'

type Fields = Readonly<Record<string, unknown>>

const fields = z.record(z.string(), z.unknown())

/** Of each record those that the sample's answers hold, among which is an example of each field. */
export function sampleRecords(answers: SampleAnswers): Readonly<Record<RecordName, Fields[]>> {
  const timesheets = recordsIn(answers.listTimesheets.body.data)
  const invoices = recordsIn(answers.getInvoice.body.data)
  const users = recordsIn(answers.getUser.body.data)
  const leaves = recordsIn(answers.listLeaves.body.data)
  const tasks = recordsIn(answers.listTasksForProject.body.data)
  return {
    Timesheet: timesheets,
    TimesheetEntry: within(timesheets, 'entries'),
    Invoice: invoices,
    Recipient: within(invoices, 'recipient'),
    LineItem: within(invoices, 'lineItems'),
    User: users,
    PersonReference: within(users, 'assignedManager'),
    Leave: leaves,
    LeaveType: within(leaves, 'leaveType'),
    Task: tasks,
    Schedule: recordsIn(answers.listSchedules.body.data),
  }
}

/** What the field holds in the first record where it says something. */
export function exampleOf(records: readonly Fields[], name: string): unknown {
  const values = records.map((record) => record[name]).filter((it) => it !== undefined)
  return values.find((it) => it !== null && it !== '') ?? values[0]
}

function within(records: readonly Fields[], name: string): Fields[] {
  return records.flatMap((record) => recordsIn(record[name]))
}

function recordsIn(data: unknown): Fields[] {
  return [data]
    .flat()
    .filter((it) => typeof it === 'object' && it !== null)
    .map((it) => fields.parse(it))
}
