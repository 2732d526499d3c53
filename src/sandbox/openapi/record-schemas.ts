/* The records as JSON Schema: made of the codecs that read and write them, as they are answered. */
import { z } from 'zod'

import { id, instant, optionalNumber } from '../../wire/fields.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { leaveCodec } from '../../wire/leave.ts'
import { personReferenceCodec } from '../../wire/person-reference.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { taskCodec } from '../../wire/task.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'
import type { RecordName } from './field-notes.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** By their names in the document; those within others are named there by their address. */
const codecs: Readonly<Record<RecordName, z.core.$ZodType>> = {
  Timesheet: timesheetCodec,
  TimesheetEntry: timesheetCodec.shape.entries.unwrap().unwrap().element,
  Invoice: invoiceCodec,
  Recipient: invoiceCodec.shape.recipient.unwrap().unwrap(),
  LineItem: invoiceCodec.shape.lineItems.unwrap().unwrap().element,
  User: userCodec,
  PersonReference: personReferenceCodec,
  Leave: leaveCodec,
  LeaveType: leaveCodec.shape.leaveType.unwrap().unwrap(),
  Task: taskCodec,
  Schedule: scheduleCodec,
}

const day = scheduleCodec.shape.pattern.unwrap().unwrap()

/** What is read in more ways than one is answered in one; patterns that not every language knows are said more simply. */
const asAnswered: ReadonlyMap<z.core.$ZodType, JsonSchema> = new Map<z.core.$ZodType, JsonSchema>([
  [id, { type: 'string', minLength: 1, maxLength: 256 }],
  [instant, { $ref: addressOf('Timestamp') }],
  [optionalNumber.unwrap().unwrap(), { type: 'number' }],
  [day, { type: 'object', additionalProperties: { $ref: addressOf('WorkingHours') } }],
])

/** Each record with its fields, of which nothing is said yet. */
export function recordSchemas(): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>()
  for (const [name, codec] of Object.entries(codecs)) registry.add(codec, { id: name })
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: addressOf, override })
  return Object.fromEntries(Object.entries(schemas).map(([name, it]) => [name, plain(it)]))
}

/** Where a schema stands in the document. */
export function addressOf(name: string): string {
  return `#/components/schemas/${name}`
}

function override({ zodSchema, jsonSchema }: Overridden): void {
  const answered = asAnswered.get(zodSchema)
  if (!answered) return
  for (const member of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, member)
  Object.assign(jsonSchema, answered)
}

interface Overridden {
  readonly zodSchema: z.core.$ZodType
  readonly jsonSchema: JsonSchema
}

/** The dialect is the document's own (OpenAPI 3.1 section 4.8.24.7), and so are the addresses. */
function plain({ $schema: _, $id: _id, ...schema }: JsonSchema): JsonSchema {
  const { properties = {} } = schema
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).map(short)) }
}

/** `{type: T} or null` as one type. */
function short([name, schema]: readonly [string, JsonSchema | boolean]): [string, JsonSchema] {
  const { anyOf, ...rest } = typeof schema === 'object' ? schema : {}
  const [first, second, third] = anyOf ?? []
  const isSimple = typeof first === 'object' && typeof first.type === 'string' && !third
  if (!isSimple || typeof second !== 'object' || second.type !== 'null') {
    return [name, anyOf ? { ...rest, anyOf } : rest]
  }
  return [name, Object.assign({ ...rest, ...first }, { type: [first.type, 'null'] })]
}
