import { z } from 'zod'

import type { Invoice, InvoiceLineItem, InvoiceRecipient } from '../../domain/invoice.ts'
import { type Leave, leaveStatuses, type LeaveType } from '../../domain/leave.ts'
import { type Schedule, scheduleTypes } from '../../domain/schedule.ts'
import type { Task } from '../../domain/task.ts'
import { type Timesheet, type TimesheetEntry, timesheetStatuses } from '../../domain/timesheet.ts'
import type { PersonReference, User } from '../../domain/user.ts'
import type { Problem } from '../../web/problem.ts'
import { id, instant, optionalNumber, personReferenceCodec } from '../../wire/fields.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { leaveCodec } from '../../wire/leave.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { taskCodec } from '../../wire/task.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'
import { described } from './conventions.ts'

const time = { type: 'string', pattern: String.raw`^([01]\d|2[0-3]):[0-5]\d$|^24:00$` }

const otherSchemas = {
  Timestamp: {
    type: 'string',
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
    description: 'ISO 8601 in UTC with millisecond precision.',
    examples: ['2026-01-05T00:00:00.000Z'],
  },
  WorkingHours: {
    ...described({
      meaning: 'The hours of one day, in 24-hour HH:MM.',
      choice: 'an end at or before the start is on the next day, and null is a day off',
    }),
    type: ['object', 'null'],
    properties: {
      start: { ...time, description: 'When work begins.', examples: ['09:00'] },
      end: { ...time, description: 'When work ends.', examples: ['17:30'] },
    },
    required: ['start', 'end'],
  },
}

const problemSchema = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().meta({ description: 'The status in words.', examples: ['Not Found'] }),
  status: z.int().meta({ description: 'The HTTP status.', examples: [404] }),
  detail: z.string().meta({
    description: 'What is wrong, in a sentence for people.',
    examples: ['There is no user usr_nobody.'],
  }),
} satisfies { readonly [K in Exclude<keyof Problem, 'errors'>]: z.ZodType<Problem[K]> })

/** Every schema of the document, with what each field means. */
export function componentSchemas(): Readonly<Record<string, object>> {
  const schemas = recordSchemas()
  const components = Object.entries(records).map(([name, [, meaning]]) => [
    name,
    recordComponent(name, meaning, schemas[name] ?? {}),
  ])
  return { ...Object.fromEntries(components), ...otherSchemas, Problem: problemComponent() }
}

function recordComponent(
  record: string,
  meaning: string,
  { required = [], properties = {} }: z.core.JSONSchema.BaseSchema,
): object {
  const notes: Readonly<Record<string, FieldNotes>> = fieldNotes
  const always = required.length > 0 ? required.join(', ') : 'no field'
  const choice = `of its fields ${always} ${required.length > 1 ? 'are' : 'is'} always there, others may be missing or null, and further ones that were imported stay`
  const fields = Object.entries(properties).map(([name, it]) => [
    name,
    { ...Object(it), ...fieldOf(notes[record]?.[name] ?? '') },
  ])
  return {
    type: 'object',
    ...described({ meaning, choice }),
    properties: Object.fromEntries(fields),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  }
}

type FieldNotes = Readonly<Record<string, string | FieldNote>>

function fieldOf(note: string | FieldNote): object {
  if (typeof note === 'string') return { description: note }
  const { meaning, listed } = note
  const said = `${meaning} The specification lists ${listed.join(', ')}.`
  const choice = 'any other word stays as it was imported'
  return { ...described({ meaning: said, choice }), 'x-listed-values': listed }
}

function problemComponent(): object {
  const { $schema: _, ...schema } = z.toJSONSchema(problemSchema)
  const about = { meaning: 'What went wrong, as RFC 9457 has it.', choice: 'the shape of errors' }
  return { ...schema, ...described(about) }
}

/* The records as JSON Schema: made of the codecs that read and write them, as they are answered. */

/** By their names in the document; those within others are named there by their address. */
const records: Readonly<Record<RecordName, readonly [codec: z.core.$ZodType, meaning: string]>> = {
  Timesheet: [timesheetCodec, 'What one employee worked in one period.'],
  TimesheetEntry: [
    timesheetCodec.shape.entries.unwrap().unwrap().element,
    'What was worked on one day.',
  ],
  Invoice: [invoiceCodec, 'An invoice with its full breakdown.'],
  Recipient: [invoiceCodec.shape.recipient.unwrap().unwrap(), 'Who is to pay an invoice.'],
  LineItem: [invoiceCodec.shape.lineItems.unwrap().unwrap().element, 'One line of an invoice.'],
  User: [userCodec, 'A person who works for the company.'],
  PersonReference: [personReferenceCodec, 'A person as named within another record.'],
  Leave: [leaveCodec, 'A time-off request. It does not name its employee.'],
  LeaveType: [leaveCodec.shape.leaveType.unwrap().unwrap(), 'The kind of a leave.'],
  Task: [taskCodec, 'Something to do in a project.'],
  Schedule: [scheduleCodec, 'A weekly work schedule.'],
}

const day = scheduleCodec.shape.pattern.unwrap().unwrap()

/** What is read in more ways than one is answered in one; patterns that not every language knows are said more simply. */
const asAnswered: ReadonlyMap<z.core.$ZodType, object> = new Map<z.core.$ZodType, object>([
  [id, { type: 'string', minLength: 1, maxLength: 256 }],
  [instant, { $ref: schemaAddress('Timestamp') }],
  [optionalNumber.unwrap().unwrap(), { type: 'number' }],
  [day, { type: 'object', additionalProperties: { $ref: schemaAddress('WorkingHours') } }],
])

/** Each record with its fields, of which nothing is said yet. */
function recordSchemas(): Readonly<Record<string, z.core.JSONSchema.BaseSchema>> {
  const registry = z.registry<{ id: string }>()
  for (const [name, [codec]] of Object.entries(records)) registry.add(codec, { id: name })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: schemaAddress,
    override: ({ zodSchema, jsonSchema }) => {
      const answered = asAnswered.get(zodSchema)
      if (!answered) return
      for (const member of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, member)
      Object.assign(jsonSchema, answered)
    },
  })
  return schemas
}

/** Where a schema stands in the document. */
export function schemaAddress(name: string): string {
  return `#/components/schemas/${name}`
}

/* What each field of the specification means; of those that hold one word of a list, the words it shows. */

/** What a field means that holds one word of a list, and those that the specification shows. */
interface FieldNote {
  readonly meaning: string
  readonly listed: readonly string[]
}

type Notes<T> = { readonly [K in keyof T]-?: string | FieldNote }

const created = 'When it was created.'
const updated = 'When it was last changed.'

export const fieldNotes = {
  Timesheet: {
    id: 'The timesheet; starts with clq.',
    userId: 'The employee’s user id.',
    companyId: 'The company; starts with comp_.',
    periodStart: 'When the period begins.',
    periodEnd: 'When the period ends.',
    status: { meaning: 'How far its approval is.', listed: timesheetStatuses },
    entries: 'What was worked, by day.',
  } satisfies Notes<Timesheet>,
  TimesheetEntry: {
    id: 'The entry; starts with ent_.',
    date: 'The day.',
    hoursWorked: 'Hours that were worked.',
    expectedHours: 'Hours that were expected.',
    notes: 'Free text.',
  } satisfies Notes<TimesheetEntry>,
  Invoice: {
    id: 'The invoice; starts with inv_.',
    invoiceNumber: 'The number that stands on it.',
    status: { meaning: 'How far it is.', listed: ['ISSUED'] },
    issueDate: 'When it was issued.',
    dueDate: 'When it is to be paid.',
    totalAmount: 'Decimal amount of all its line items.',
    currency: 'Currency code.',
    recipient: 'Who is to pay it.',
    lineItems: 'The full breakdown.',
  } satisfies Notes<Invoice>,
  Recipient: {
    name: 'Name of the recipient.',
    email: 'Mail address of the recipient.',
  } satisfies Notes<InvoiceRecipient>,
  LineItem: {
    id: 'The line item; starts with li_.',
    description: 'What is charged for.',
    quantity: 'How many.',
    rate: 'Price of one.',
    amount: 'Price of all of them.',
  } satisfies Notes<InvoiceLineItem>,
  User: {
    id: 'The user; starts with usr_.',
    email: 'Mail address.',
    firstName: 'First name.',
    lastName: 'Last name.',
    role: { meaning: 'What the user may do.', listed: ['EMPLOYEE'] },
    employmentType: { meaning: 'How the user is employed.', listed: ['FULL_TIME'] },
    position: 'Job title.',
    isActive: 'Whether the user works there still.',
    assignedManagerId: 'The user id of the manager.',
    assignedManager: 'The manager, expanded.',
    createdAt: created,
    updatedAt: updated,
  } satisfies Notes<User>,
  PersonReference: {
    id: 'The user id.',
    firstName: 'First name.',
    lastName: 'Last name.',
  } satisfies Notes<PersonReference>,
  Leave: {
    id: 'The leave; starts with lv_.',
    startDate: 'When it begins.',
    endDate: 'When it ends.',
    days: 'Number of days.',
    reason: 'Free text.',
    status: { meaning: 'How far its approval is.', listed: leaveStatuses },
    leaveType: 'Of which kind it is.',
  } satisfies Notes<Omit<Leave, 'hasBegun'>>,
  LeaveType: {
    name: 'The name of the kind, for people.',
    category: { meaning: 'The kind, for programs.', listed: ['ANNUAL'] },
  } satisfies Notes<LeaveType>,
  Task: {
    id: 'The task; starts with tsk_.',
    title: 'What is to be done.',
    description: 'More about it.',
    status: { meaning: 'How far it is.', listed: ['IN_PROGRESS'] },
    priority: { meaning: 'How urgent it is.', listed: ['HIGH'] },
    dueDate: 'By when it is to be done.',
    estimatedHours: 'Hours that it may take.',
    actualHours: 'Hours that it has taken; may be fractional.',
    createdAt: created,
    updatedAt: updated,
    assignees: 'Who is to do it.',
  } satisfies Notes<Task>,
  Schedule: {
    id: 'The schedule; starts with sch_.',
    name: 'The name of the schedule.',
    type: { meaning: 'How its days repeat.', listed: scheduleTypes },
    isActive: 'Whether anybody works by it.',
    pattern: 'Lowercase weekday names, monday to sunday, and the hours of each day that is worked.',
  } satisfies Notes<Schedule>,
} as const

export type RecordName = keyof typeof fieldNotes
