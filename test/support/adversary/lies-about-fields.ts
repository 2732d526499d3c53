/* Records of which one field says something that it cannot say. */
import type { Json } from '../company/company-server.ts'
import type { Lie, Operation } from './lie.ts'

/** Every field of every resource, as the spec names them. */
const fields: Readonly<Record<Operation, string>> = {
  leaves: 'id startDate endDate days reason status leaveType leaveType.name leaveType.category',
  timesheets: `id userId companyId periodStart periodEnd status entries
    entries.id entries.date entries.hoursWorked entries.expectedHours entries.notes`,
  tasks: `id title description status priority dueDate estimatedHours actualHours createdAt
    updatedAt assignees assignees.id assignees.firstName assignees.lastName`,
  schedules: 'id name type isActive pattern',
  user: `id email firstName lastName role employmentType position isActive assignedManagerId
    assignedManager createdAt updatedAt`,
  invoice: `id invoiceNumber status issueDate dueDate totalAmount currency recipient
    recipient.name recipient.email lineItems`,
}

const values: readonly unknown[] = ['', null, 3, {}, []]

/** What may be true all the same, and then means that the record is not to be shown (any longer). */
const plausible = new Set([
  'leaves.status = ""',
  'leaves.endDate = null',
  'tasks.dueDate = null',
  'tasks.assignees = null',
  'tasks.assignees = []',
  'schedules.type = ""',
  'schedules.type = null',
  'schedules.pattern = null',
  'schedules.pattern = {}',
  'invoice.dueDate = null',
])

export interface Damage extends Lie {
  readonly operation: Operation
  readonly of: readonly Operation[]
}

/** Damage of the first record of a list at each field by each value that cannot be true there. */
export const damages: readonly Damage[] = Object.entries(fields)
  .flatMap(([operation, names]) =>
    names
      .split(/\s+/)
      .flatMap((name) => values.map((value) => damage(operation as Operation, name, value))),
  )
  .filter(({ name }) => !plausible.has(name))

/** Damage of all records at once. */
export function damagedAll({ operation, of, name, alter }: Damage): Damage {
  const each: Lie['alter'] = (records, asked) =>
    records.flatMap((record) => alter?.([record], asked) ?? record)
  return { operation, of, name: `${name}, in all`, alter: each }
}

function damage(operation: Operation, field: string, value: unknown): Damage {
  return {
    name: `${operation}.${field} = ${JSON.stringify(value)}`,
    operation,
    of: [operation],
    alter: ([first, ...others]) =>
      first ? [setAt(first, field.split('.'), value), ...others] : [],
  }
}

/** Of a field within a list: in its first element. */
function setAt(record: Json, [name = '', ...deeper]: readonly string[], value: unknown): Json {
  if (deeper.length === 0) return { ...record, [name]: value }
  const inner = record[name]
  if (Array.isArray(inner)) {
    const [first, ...others] = inner as Json[]
    return { ...record, [name]: first ? [setAt(first, deeper, value), ...others] : inner }
  }
  return { ...record, [name]: setAt((inner ?? {}) as Json, deeper, value) }
}
