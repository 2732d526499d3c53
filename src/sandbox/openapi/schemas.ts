import { z } from 'zod'

import { leaveStatuses } from '../../domain/leave.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import type { Problem } from '../../web/problem.ts'
import { id, instant, optionalNumber, personReferenceCodec } from '../../wire/fields.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { leaveCodec } from '../../wire/leave.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { operations } from '../operations.ts'
import { described } from './conventions.ts'
import texts from './texts.json' with { type: 'json' }

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

export function componentSchemas(): Readonly<Record<string, object>> {
  const schemas = recordSchemas()
  const components = Object.keys(texts.fields).map((name) => [
    name,
    recordComponent(name, records[name]?.[1] ?? '', schemas[name] ?? {}),
  ])
  return { ...Object.fromEntries(components), ...otherSchemas, Problem: problemComponent() }
}

function recordComponent(
  name: string,
  meaning: string,
  { required = [], properties = {} }: z.core.JSONSchema.BaseSchema,
): object {
  const always = required.length > 0 ? required.join(', ') : 'no field'
  const choice = `of its fields ${always} ${required.length > 1 ? 'are' : 'is'} always there, others may be missing or null, and further ones that were imported stay`
  const fields = Object.entries(properties).map(([field, schema]) => [
    field,
    { ...Object(schema), ...fieldOf(fieldTexts[name]?.[field] ?? '', listedValues[name]?.[field]) },
  ])
  return {
    type: 'object',
    ...described({ meaning, choice }),
    properties: Object.fromEntries(fields),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  }
}

function fieldOf(meaning: string, listed: readonly string[] | undefined): object {
  if (!listed) return { description: meaning }
  const said = `${meaning} The specification lists ${listed.join(', ')}.`
  const choice = 'any other word stays as it was imported'
  return { ...described({ meaning: said, choice }), 'x-listed-values': listed }
}

function problemComponent(): object {
  const { $schema: _, ...schema } = z.toJSONSchema(problemSchema)
  const about = { meaning: 'What went wrong, as RFC 9457 has it.', choice: 'the shape of errors' }
  return { ...schema, ...described(about) }
}

/* JSON Schemas of the records as the Read API returns them, derived from the codecs. */

type Described = readonly [codec: z.core.$ZodType, meaning: string]

/** By schema name; other schemas refer to nested records by `$ref`. */
const records: Readonly<Record<string, Described>> = {
  ...Object.fromEntries(
    operations.map(({ answers }): [string, Described] => [
      answers.name,
      [answers.codec, answers.meaning],
    ]),
  ),
  TimesheetEntry: [
    timesheetCodec.shape.entries.unwrap().unwrap().element,
    'What was worked on one day.',
  ],
  Recipient: [invoiceCodec.shape.recipient.unwrap().unwrap(), 'Who is to pay an invoice.'],
  LineItem: [invoiceCodec.shape.lineItems.unwrap().unwrap().element, 'One line of an invoice.'],
  PersonReference: [personReferenceCodec, 'A person as named within another record.'],
  LeaveType: [leaveCodec.shape.leaveType.unwrap().unwrap(), 'The kind of a leave.'],
}

const day = scheduleCodec.shape.pattern.unwrap().unwrap()

/** Overrides for codecs that accept several forms but write one, or use patterns that some languages do not support. */
const asAnswered: ReadonlyMap<z.core.$ZodType, object> = new Map<z.core.$ZodType, object>([
  [id, { type: 'string', minLength: 1, maxLength: 256 }],
  [instant, { $ref: schemaAddress('Timestamp') }],
  [optionalNumber.unwrap().unwrap(), { type: 'number' }],
  [day, { type: 'object', additionalProperties: { $ref: schemaAddress('WorkingHours') } }],
])

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

export function schemaAddress(name: string): string {
  return `#/components/schemas/${name}`
}

const fieldTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.fields

/** Fields with a fixed list of words, and the words that the specification shows. */
const listedValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Timesheet: { status: timesheetStatuses },
  Invoice: { status: ['ISSUED'] },
  User: { role: ['EMPLOYEE'], employmentType: ['FULL_TIME'] },
  Leave: { status: leaveStatuses },
  LeaveType: { category: ['ANNUAL'] },
  Task: { status: ['IN_PROGRESS'], priority: ['HIGH'] },
  Schedule: { type: scheduleTypes },
}
