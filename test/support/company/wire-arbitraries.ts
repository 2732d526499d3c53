import fc, { type Arbitrary } from 'fast-check'

/** Timestamps of the spec's shape, any year that it can write. */
const timestamps = fc
  .date({
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())

const ids = fc.stringMatching(/^[\w-]{1,40}$/)
const texts = fc.string({ unit: 'binary', maxLength: 20 })
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((it) => it + 0)
const statuses = fc.oneof(fc.constantFrom('APPROVED', 'DRAFT', 'ISSUED'), texts)

type Fields = Record<string, Arbitrary<unknown>>

/** Records with all required fields, the optional ones present, null or missing, and fields that the spec does not name. */
function records(required: Fields, optional: Fields): Arbitrary<object> {
  const nullable = Object.entries(optional).map(([name, it]) => [name, fc.option(it)] as const)
  const known = fc.record(
    { ...required, ...Object.fromEntries(nullable) },
    { requiredKeys: Object.keys(required) },
  )
  const further = fc.dictionary(
    fc.stringMatching(/^x[a-z]{0,8}$/),
    fc.jsonValue({ maxDepth: 1 }).map(withoutPrototypes),
    { maxKeys: 3 },
  )
  return fc.tuple(further, known).map(([more, record]) => ({ ...more, ...record }))
}

/** Minus zero has no JSON. */
function withoutPrototypes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

const people = records({ id: ids }, { firstName: texts, lastName: texts })

/** Any record of each resource, as the Read API may answer it. */
export const wireRecords = {
  leave: records(
    { id: ids, startDate: timestamps, endDate: timestamps, status: statuses },
    {
      days: numbers,
      reason: texts,
      leaveType: records({}, { name: texts, category: statuses }),
    },
  ),
  timesheet: records(
    {
      id: ids,
      userId: ids,
      periodStart: timestamps,
      periodEnd: timestamps,
      status: statuses,
    },
    {
      companyId: ids,
      entries: fc.array(
        records(
          {},
          {
            id: ids,
            date: timestamps,
            hoursWorked: numbers,
            expectedHours: numbers,
            notes: texts,
          },
        ),
        { maxLength: 3 },
      ),
    },
  ),
  task: records(
    { id: ids },
    {
      title: texts,
      description: texts,
      status: statuses,
      priority: statuses,
      dueDate: timestamps,
      estimatedHours: numbers,
      actualHours: numbers,
      createdAt: timestamps,
      updatedAt: timestamps,
      assignees: fc.array(people, { maxLength: 3 }),
    },
  ),
  schedule: records(
    { id: ids },
    {
      name: texts,
      type: statuses,
      isActive: fc.boolean(),
      pattern: fc.dictionary(
        fc.constantFrom('monday', 'Tuesday', 'holiday'),
        fc.jsonValue({ maxDepth: 1 }).map(withoutPrototypes),
      ),
    },
  ),
  user: records(
    { id: ids },
    {
      email: texts,
      firstName: texts,
      lastName: texts,
      role: statuses,
      employmentType: statuses,
      position: texts,
      isActive: fc.boolean(),
      assignedManagerId: ids,
      assignedManager: people,
      createdAt: timestamps,
      updatedAt: timestamps,
    },
  ),
  invoice: records(
    { id: ids },
    {
      invoiceNumber: texts,
      status: statuses,
      issueDate: timestamps,
      dueDate: timestamps,
      totalAmount: numbers,
      currency: texts,
      recipient: records({}, { name: texts, email: texts }),
      lineItems: fc.array(
        records(
          {},
          { id: ids, description: texts, quantity: numbers, rate: numbers, amount: numbers },
        ),
        { maxLength: 3 },
      ),
    },
  ),
}
