import { z } from 'zod'

import type { Timesheet, TimesheetEntry } from '../domain/timesheet.ts'
import {
  type Fields,
  id,
  instant,
  optionalInstant,
  optionalNumber,
  optionalText,
  word,
  forgiving,
  type ReadRecord,
} from './fields.ts'

const entry = z.looseObject({
  id: optionalText,
  date: optionalInstant,
  hoursWorked: optionalNumber,
  expectedHours: optionalNumber,
  notes: optionalText,
} satisfies Fields<TimesheetEntry>)

/** JSON ↔ Timesheet; preserves unknown statuses and further fields. */
export const timesheetCodec = z.looseObject({
  id,
  userId: id,
  periodStart: instant,
  periodEnd: instant,
  status: z.string(),
  companyId: optionalText,
  entries: z.array(entry).nullish(),
} satisfies Fields<Timesheet>)

const shownEntry = entry.pick({ hoursWorked: true, expectedHours: true }).strip()

const shown = timesheetCodec
  .omit({ companyId: true })
  .extend({ status: word, entries: z.array(shownEntry).nullish() })
  .strip()

/** Reads what a calendar can show of a timesheet. */
export const readTimesheet: ReadRecord<Timesheet> = forgiving(shown)
