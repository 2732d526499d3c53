import { z } from 'zod'

import type { Problem } from '../../web/problem.ts'
import { described } from './choice.ts'
import { exampleOf, sampleRecords } from './field-examples.ts'
import { type FieldNote, fieldNotes, type RecordName } from './field-notes.ts'
import { type JsonSchema, recordSchemas } from './record-schemas.ts'
import type { SampleAnswers } from './sample-answers.ts'

const recordMeanings: Readonly<Record<RecordName, string>> = {
  Timesheet: 'What one employee worked in one period.',
  TimesheetEntry: 'What was worked on one day.',
  Invoice: 'An invoice with its full breakdown.',
  Recipient: 'Who is to pay an invoice.',
  LineItem: 'One line of an invoice.',
  User: 'A person who works for the company.',
  PersonReference: 'A person as named within another record.',
  Leave: 'A time-off request. It does not say whose it is.',
  LeaveType: 'The kind of a leave.',
  Task: 'Something to do in a project.',
  Schedule: 'A weekly work schedule.',
}

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

/** Every schema of the document, with what each field means and an example of it. */
export function componentSchemas(answers: SampleAnswers): Readonly<Record<string, object>> {
  const schemas = recordSchemas()
  const samples: Readonly<Record<string, readonly Fields[]>> = sampleRecords(answers)
  const notes: Readonly<Record<string, FieldNotes>> = fieldNotes
  const records = Object.entries(recordMeanings).map(([name, meaning]): [string, object] => {
    const about = { notes: notes[name] ?? {}, records: samples[name] ?? [] }
    return [name, recordComponent(schemas[name] ?? {}, meaning, about)]
  })
  return { ...Object.fromEntries(records), ...otherSchemas, Problem: problemComponent() }
}

type Fields = Readonly<Record<string, unknown>>
type FieldNotes = Readonly<Record<string, string | FieldNote>>

/** What is known of the fields of a record. */
interface About {
  readonly notes: FieldNotes
  readonly records: readonly Fields[]
}

function recordComponent(schema: JsonSchema, meaning: string, about: About): object {
  const { required = [], properties = {} } = schema
  const always = required.length > 0 ? required.join(', ') : 'no field'
  const choice = `of its fields ${always} ${required.length > 1 ? 'are' : 'is'} always there, others may be missing or null, and further ones that were imported stay`
  const fields = Object.entries(properties).map(([name, it]) => [
    name,
    { ...Object(it), ...fieldOf(name, about) },
  ])
  return {
    type: 'object',
    ...described({ meaning, choice }),
    properties: Object.fromEntries(fields),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: true,
  }
}

function fieldOf(name: string, { notes, records }: About): object {
  const note = notes[name] ?? ''
  const examples = [exampleOf(records, name)]
  if (typeof note === 'string') return { description: note, examples }
  const { meaning, listed } = note
  const said = `${meaning} The specification lists ${listed.join(', ')}.`
  const choice = 'any other word stays as it was imported'
  return { ...described({ meaning: said, choice }), 'x-listed-values': listed, examples }
}

function problemComponent(): object {
  const { $schema: _, ...schema } = z.toJSONSchema(problemSchema)
  const about = { meaning: 'What went wrong, as RFC 9457 has it.', choice: 'the shape of errors' }
  return { ...schema, ...described(about) }
}
