/* What the description of the Read API says, chapter by chapter, seen at the sample company. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { sampleCompany } from '../../src/sandbox/sample-company.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { listEnvelope } from './loading/load-company.ts'
import { type SandboxServer, startSandboxServer, type Told } from './sandbox-server.ts'

type Fields = Readonly<Record<string, unknown>>

const company = sampleCompany({ today: '2026-01-05' })
let server: SandboxServer

beforeAll(async () => {
  server = await startSandboxServer(createSqliteDatabase())
  await server.load(company)
})
afterAll(() => server.close())

const lists = ['/timesheets', '/leaves', '/projects/prj_web/tasks', '/schedules']
const singles = ['/invoices/inv_1', '/users/usr_ada']

async function list(path: string): Promise<readonly Fields[]> {
  const { status, body } = await server.read(path)
  expect([path, status]).toEqual([path, 200])
  return listEnvelope.parse(body).data.map((record) => Object(record))
}

async function single(path: string): Promise<Fields> {
  const { body } = await server.read(path)
  return Object(Object(body).data)
}

async function refused(path: string): Promise<Told> {
  const told = await server.read(path)
  expect([path, told.status]).toEqual([path, 400])
  return told
}

describe('1 What the service does', () => {
  it.each(lists)('%s: an object with one property, data, which is an array', async (path) => {
    const { body } = await server.read(path)
    expect(Object.keys(Object(body))).toEqual(['data'])
    expect(Object(body).data).toBeInstanceOf(Array)
  })

  it.each(singles)('%s: an object with one property, data, which is an object', async (path) => {
    const { body } = await server.read(path)
    expect(Object.keys(Object(body))).toEqual(['data'])
    expect(Object(body).data).toMatchObject({ id: path.split('/').at(-1) })
  })
})

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What the values of a field are, by the type that it is said to have. */
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => typeof value === 'string' && timestamp.test(value),
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** The fields of each resource, as the chapter's tables have them. */
const resources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Timesheet: {
    id: 'string',
    userId: 'string',
    companyId: 'string',
    periodStart: 'timestamp',
    periodEnd: 'timestamp',
    status: 'string',
    entries: 'array',
  },
  'Timesheet entry': {
    id: 'string',
    date: 'timestamp',
    hoursWorked: 'number',
    expectedHours: 'number',
    notes: 'string',
  },
  Invoice: {
    id: 'string',
    invoiceNumber: 'string',
    status: 'string',
    issueDate: 'timestamp',
    dueDate: 'timestamp',
    totalAmount: 'number',
    currency: 'string',
    recipient: 'object',
    lineItems: 'array',
  },
  Recipient: { name: 'string', email: 'string' },
  'Line item': {
    id: 'string',
    description: 'string',
    quantity: 'number',
    rate: 'number',
    amount: 'number',
  },
  User: {
    id: 'string',
    email: 'string',
    firstName: 'string',
    lastName: 'string',
    role: 'string',
    employmentType: 'string',
    position: 'string',
    isActive: 'boolean',
    assignedManagerId: 'string',
    assignedManager: 'object',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  'Assigned manager': { id: 'string', firstName: 'string', lastName: 'string' },
  Leave: {
    id: 'string',
    startDate: 'timestamp',
    endDate: 'timestamp',
    days: 'number',
    reason: 'string',
    status: 'string',
    leaveType: 'object',
  },
  'Leave type': { name: 'string', category: 'string' },
  Task: {
    id: 'string',
    title: 'string',
    description: 'string',
    status: 'string',
    priority: 'string',
    estimatedHours: 'number',
    actualHours: 'number',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
    assignees: 'array',
  },
  Assignee: { id: 'string', firstName: 'string', lastName: 'string' },
  Schedule: {
    id: 'string',
    name: 'string',
    type: 'string',
    isActive: 'boolean',
    pattern: 'object',
  },
}

async function recordsOf(resource: string): Promise<readonly Fields[]> {
  const [timesheets, leaves, tasks, schedules] = await Promise.all(lists.map(list))
  const [invoice, user] = await Promise.all(singles.map(single))
  const all: Readonly<Record<string, unknown>> = {
    Timesheet: timesheets,
    'Timesheet entry': timesheets?.flatMap(({ entries }) => entries),
    Invoice: [invoice],
    Recipient: [invoice?.['recipient']],
    'Line item': invoice?.['lineItems'],
    User: [user],
    'Assigned manager': [user?.['assignedManager']],
    Leave: leaves,
    'Leave type': leaves?.map(({ leaveType }) => leaveType),
    Task: tasks,
    Assignee: tasks?.flatMap(({ assignees }) => assignees),
    Schedule: schedules,
  }
  return Object(all[resource])
}

describe('2 Resources and their fields', () => {
  it.each(Object.entries(resources))('%s', async (resource, fields) => {
    const records = await recordsOf(resource)
    expect(records.length).toBeGreaterThan(0)
    for (const record of records) {
      for (const [name, type] of Object.entries(fields)) {
        expect([name, type, types[type]?.(record[name]), record[name]]).toEqual([
          name,
          type,
          true,
          record[name],
        ])
      }
      const known = [...Object.keys(fields), ...(resource === 'Task' ? ['dueDate'] : [])]
      expect(known).toEqual(expect.arrayContaining(Object.keys(record)))
    }
  })

  it('Task: dueDate is a timestamp', async () => {
    const due = (await list('/projects/prj_web/tasks')).flatMap(({ dueDate }) => dueDate ?? [])
    expect(due.length).toBeGreaterThan(0)
    expect(due.filter((date) => !types['timestamp']?.(date))).toEqual([])
  })

  it('Leave: its owner is in no field', async () => {
    expect((await list('/leaves')).filter((leave) => 'userId' in leave)).toEqual([])
  })

  it.each([
    ['Timesheet', 'clq'],
    ['User', 'usr_'],
    ['Timesheet entry', 'ent_'],
    ['Invoice', 'inv_'],
    ['Line item', 'li_'],
    ['Leave', 'lv_'],
    ['Task', 'tsk_'],
    ['Schedule', 'sch_'],
  ])('identifiers: %s has the prefix %s', async (resource, prefix) => {
    const ids = (await recordsOf(resource)).map(({ id }) => String(id))
    expect(ids.filter((id) => !id.startsWith(prefix))).toEqual([])
  })

  it('identifiers: company has the prefix comp_', async () => {
    const ids = (await list('/timesheets')).map(({ companyId }) => String(companyId))
    expect(ids.filter((id) => !id.startsWith('comp_'))).toEqual([])
  })

  it.each([
    ['Timesheet', 'status', 'DRAFT SUBMITTED APPROVED REJECTED'],
    ['Invoice', 'status', 'ISSUED'],
    ['User', 'role', 'EMPLOYEE'],
    ['User', 'employmentType', 'FULL_TIME'],
    ['Leave', 'status', 'PENDING APPROVED REJECTED CANCELLED'],
    ['Leave type', 'category', 'ANNUAL'],
    ['Task', 'status', 'IN_PROGRESS'],
    ['Task', 'priority', 'HIGH'],
    ['Schedule', 'type', 'FIXED FLEXIBLE ROTATING'],
  ])('listed values: %s has as %s the values %s', async (resource, field, values) => {
    const seen = (await recordsOf(resource)).map((record) => record[field])
    expect(seen).toEqual(expect.arrayContaining(values.split(' ')))
  })

  it('Task: actualHours may be fractional', async () => {
    const hours = (await list('/projects/prj_web/tasks')).map(({ actualHours }) =>
      Number(actualHours),
    )
    expect(hours.every(Number.isInteger)).toBe(false)
  })

  it('Schedule: a pattern has lowercase weekdays, each with start and end as HH:MM', async () => {
    const weekday = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/
    for (const { pattern } of await list('/schedules')) {
      for (const [day, hours] of Object.entries(Object(pattern))) {
        expect(day).toMatch(weekday)
        expect(hours).toEqual({
          start: expect.stringMatching(/^([01]\d|2[0-3]):[0-5]\d$/),
          end: expect.stringMatching(/^([01]\d|2[0-3]):[0-5]\d$/),
        })
      }
    }
  })

  it('User: the manager id is that of the expanded manager', async () => {
    const { assignedManagerId, assignedManager } = await single('/users/usr_ada')
    expect(Object(assignedManager).id).toBe(assignedManagerId)
  })
})

describe('3 States and transitions', () => {
  it('schedules have no status', async () => {
    expect((await list('/schedules')).filter((schedule) => 'status' in schedule)).toEqual([])
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('no operation changes state: %s', async (method) => {
    const told = await server.send('/leaves', { method })
    expect([told.status, told.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('4.1 List timesheets', () => {
  it('lists all timesheets of the company, with entries', async () => {
    expect((await list('/timesheets')).length).toBe(company.timesheets?.length)
  })

  it('employee', async () => {
    const found = await list('/timesheets?userId=usr_bob')
    expect(new Set(found.map(({ userId }) => userId))).toEqual(new Set(['usr_bob']))
  })

  it.each(['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'])(
    'filters by the approval status %s',
    async (status) => {
      const found = await list(`/timesheets?status=${status}`)
      expect(new Set(found.map((record) => record['status']))).toEqual(new Set([status]))
    },
  )

  it('start bound: periodStart is greater than or equal to it', async () => {
    const found = await list('/timesheets?startDate=2025-12-01')
    const starts = found.map(({ periodStart }) => String(periodStart)).toSorted()
    expect(starts[0]).toBe('2025-12-01T00:00:00.000Z')
    const later = await list('/timesheets?startDate=2025-12-01T00:00:00.001Z')
    expect(later.length).toBe(starts.filter((date) => date > '2025-12-01T00:00:00.000Z').length)
  })

  it('end bound: periodEnd is less than or equal to it', async () => {
    const found = await list('/timesheets?endDate=2025-12-15')
    const ends = found.map(({ periodEnd }) => String(periodEnd)).toSorted()
    expect(ends.at(-1)).toBe('2025-12-15T00:00:00.000Z')
    const before = await list('/timesheets?endDate=2025-12-14T23:59:59.999Z')
    expect(before.length).toBe(ends.filter((date) => date < '2025-12-15T00:00:00.000Z').length)
  })
})

describe('4.2 Get invoice', () => {
  it('returns one invoice with its full breakdown', async () => {
    const { totalAmount, lineItems } = await single('/invoices/inv_1')
    const sum = Object(lineItems).reduce(
      (all: number, item: { amount: number }) => all + item.amount,
      0,
    )
    expect(sum).toBe(totalAmount)
  })
})

describe('4.3 Get user', () => {
  it('returns one user with the expanded manager', async () => {
    const { assignedManager } = await single('/users/usr_ada')
    expect(assignedManager).toMatchObject({ id: 'usr_mia', firstName: 'Mia' })
  })
})

describe('4.4 List leaves', () => {
  it('lists all leaves of the company', async () => {
    expect((await list('/leaves')).length).toBe(company.leaves?.length)
  })

  it('employee', async () => {
    const ids = (await list('/leaves?userId=usr_bob')).map(({ id }) => id)
    const own = company.leaves?.filter(({ userId }) => userId === 'usr_bob').map(({ id }) => id)
    expect(ids).toEqual(own)
  })

  it.each(['PENDING', 'APPROVED', 'REJECTED', 'CANCELLED'])(
    'filters by the approval status %s',
    async (status) => {
      const found = await list(`/leaves?status=${status}`)
      expect(new Set(found.map((record) => record['status']))).toEqual(new Set([status]))
    },
  )
})

describe('4.5 List tasks for project', () => {
  it('lists all tasks of the project that are not archived', async () => {
    const tasks = company.projects?.find(({ id }) => id === 'prj_web')?.tasks ?? []
    const shown = tasks.filter(({ archived }) => !archived)
    expect(shown.length).toBeLessThan(tasks.length)
    const ids = (await list('/projects/prj_web/tasks')).map(({ id }) => id)
    expect(ids).toEqual(shown.map(({ id }) => id))
  })

  it('archived tasks are nowhere, not even as a field', async () => {
    const found = await list('/projects/prj_web/tasks')
    expect(found.filter((task) => 'archived' in task || 'projectId' in task)).toEqual([])
  })

  it('query parameters are refused', async () => {
    const { body } = await refused('/projects/prj_web/tasks?status=DONE')
    expect(Object(body).detail).toContain('status')
  })
})

describe('4.6 List schedules', () => {
  it.each(['FIXED', 'FLEXIBLE', 'ROTATING'])('filters by the schedule type %s', async (type) => {
    const found = await list(`/schedules?type=${type}`)
    expect(new Set(found.map((record) => record['type']))).toEqual(new Set([type]))
  })

  it('the active flag is true when omitted', async () => {
    expect(await list('/schedules')).toEqual(await list('/schedules?isActive=true'))
    const inactive = await list('/schedules?isActive=false')
    expect(new Set(inactive.map(({ isActive }) => isActive))).toEqual(new Set([false]))
  })
})

describe('9 Versioning', () => {
  it('all operations are under the version in the path', async () => {
    expect((await server.send('/../v2/leaves', {})).status).toBe(404)
  })
})
