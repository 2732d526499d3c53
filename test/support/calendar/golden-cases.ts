import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { z } from 'zod'

import { invoiceCodec } from '../../../src/wire/invoice.ts'
import { leaveCodec } from '../../../src/wire/leave.ts'
import { scheduleCodec } from '../../../src/wire/schedule.ts'
import { taskCodec } from '../../../src/wire/task.ts'
import { timesheetCodec } from '../../../src/wire/timesheet.ts'
import { userCodec } from '../../../src/wire/user.ts'
import { calendarSource, renderSource, type SourceChanges } from './calendar-source.ts'

const folder = path.resolve(import.meta.dirname, '../../golden')

/** The records in the wire's own shape; feed, options and company say what differs from the usual. */
const goldenCase = z.strictObject({
  about: z.string(),
  now: z.iso.datetime(),
  feed: z.custom<SourceChanges['feed']>().optional(),
  options: z.custom<SourceChanges['options']>().optional(),
  company: z.custom<SourceChanges['company']>().optional(),
  users: z.array(userCodec).default([]),
  leaves: z.record(z.string(), z.array(leaveCodec)).default({}),
  schedules: z.array(scheduleCodec).default([]),
  timesheets: z.array(timesheetCodec).default([]),
  tasks: z.array(taskCodec).default([]),
  invoices: z.array(invoiceCodec).default([]),
})

export const goldenNames = readdirSync(folder).toSorted()

export function goldenFile(name: string, file: 'records.json' | 'expected.ics'): string {
  return path.join(folder, name, file)
}

/** The calendar that the case's records become. */
export function goldenCalendar(name: string): string {
  const text = readFileSync(goldenFile(name, 'records.json'), 'utf8')
  const { now, feed, options, company, leaves, ...records } = goldenCase.parse(JSON.parse(text))
  return renderSource(
    calendarSource({
      now: Date.parse(now),
      ...(feed && { feed }),
      ...(options && { options }),
      ...(company && { company }),
      records,
      leavesOf: leaves,
    }),
  )
}
