import { z } from 'zod'

import companyFileExample from './company-example.json' with { type: 'json' }
import { id, instant, personReferenceCodec } from './fields.ts'
import { invoiceCodec } from './invoice.ts'
import { leaveCodec } from './leave.ts'
import { scheduleCodec } from './schedule.ts'
import { taskCodec } from './task.ts'
import { timesheetCodec } from './timesheet.ts'
import { userCodec } from './user.ts'

/** Adds the owner, which the Read API does not return. */
export const leaveInFile = leaveCodec.extend({ userId: id })

/** Adds whether the task is archived, which the Read API does not return. */
export const taskInFile = taskCodec.extend({ archived: z.boolean().optional() })

/** A project; the Read API only has its id. */
export const projectInFile = z.looseObject({
  id,
  name: z.string().nullish(),
  tasks: z.array(taskInFile),
})

/** Strict at the top level only: a misspelt list would be lost silently. */
export const companyFile = z.strictObject({
  users: z.array(userCodec).optional(),
  leaves: z.array(leaveInFile).optional(),
  projects: z.array(projectInFile).optional(),
  schedules: z.array(scheduleCodec).optional(),
  timesheets: z.array(timesheetCodec).optional(),
  invoices: z.array(invoiceCodec).optional(),
})

/** A company file: the spec's records as JSON, plus what the Read API omits (owners of leaves, archived tasks). */
export type CompanyFile = z.input<typeof companyFile>

/** The record type of each list in the file. */
export type CompanyRecords = {
  readonly [K in keyof CompanyFile]-?: NonNullable<CompanyFile[K]>[number]
}

/** The records of a company file; each list is read once, in order. */
export type CompanyLists = { readonly [K in keyof CompanyRecords]: Iterable<CompanyRecords[K]> }

/** Types with their own name in the JSON Schema. */
const named: Readonly<Record<string, readonly [z.ZodType, description: string]>> = {
  Identifier: [
    id,
    'An opaque identifier: 1 to 256 characters, none of them a control character. No two records of a list have the same.',
  ],
  Timestamp: [
    instant,
    'ISO 8601 with Z or an offset, such as 2026-01-05T00:00:00.000Z; what is finer than milliseconds is cut off. A bare day is written as its midnight.',
  ],
  PersonReference: [personReferenceCodec, 'A person as named in another record.'],
  User: [userCodec, 'A person who works for the company.'],
  Leave: [
    leaveInFile,
    'A time-off request: as the Read API answers it, plus userId: the id of a user in this file.',
  ],
  Task: [
    taskInFile,
    'A task: as the Read API answers it, and with archived, which leaves it out of all answers.',
  ],
  Project: [projectInFile, 'A project with its tasks; it is never answered itself.'],
  Schedule: [
    scheduleCodec,
    'A week of work: pattern holds by lowercase weekday (monday to sunday) start and end as HH:MM. Types are FIXED, FLEXIBLE and ROTATING; it is inactive only where isActive is false.',
  ],
  Timesheet: [
    timesheetCodec,
    'A person’s working hours of a period; userId is the id of a user of this file. Statuses are DRAFT, SUBMITTED, APPROVED and REJECTED.',
  ],
  Invoice: [invoiceCodec, 'An invoice with its line items.'],
}

/** Returns the JSON Schema (draft 2020-12) of a company file, derived from the codecs that read it. */
export function companyFileSchema(): Readonly<Record<string, unknown>> {
  const metadata = z.registry<{ id: string; description: string }>()
  for (const [name, [schema, description]] of Object.entries(named)) {
    metadata.add(schema, { id: name, description })
  }
  const { $schema, ...made } = z.toJSONSchema(companyFile, {
    io: 'input',
    metadata,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema !== id) return
      // Many validators do not support Unicode character classes.
      const pattern = String.raw`^[^\u0000-\u001f\u007f-\u009f\ufffd]*$`
      Object.assign(jsonSchema, { minLength: 1, maxLength: 256, pattern })
    },
  })
  return {
    $schema,
    title: 'A company',
    description:
      'A whole company, as bridge workforce import reads it. Every list may be left out; a record may have further fields, which are kept.',
    examples: [companyFileExample],
    ...made,
  }
}
