/* What a company file is refused for, and where it says so. */
import { describe, expect, it } from 'vitest'

import { AppError } from '../../../src/domain/errors.ts'
import { asLoaded, checkCompany } from './load-company.ts'

const user = { id: 'usr_1' }
const leave = {
  id: 'lv_1',
  userId: 'usr_1',
  startDate: '2026-01-05T00:00:00.000Z',
  endDate: '2026-01-06T00:00:00.000Z',
  status: 'APPROVED',
}
const timesheet = {
  id: 'clq_1',
  userId: 'usr_1',
  periodStart: '2026-01-01T00:00:00.000Z',
  periodEnd: '2026-01-15T00:00:00.000Z',
  status: 'DRAFT',
}

it('timestamps are written in the shape of the spec, everything else unchanged', () => {
  const users = [{ ...user, createdAt: '2026-01-05T01:00:00+01:00', badge: 7, email: null }]
  expect(asLoaded({ users }).users).toEqual([
    { ...user, createdAt: '2026-01-05T00:00:00.000Z', badge: 7, email: null },
  ])
})

describe('faults with their paths', () => {
  const cases: [title: string, file: unknown, pointers: string[]][] = [
    ['no object', [], ['']],
    ['no JSON object at all', null, ['']],
    ['a misspelt list', { user: [] }, ['/user']],
    ['a list whose name needs escaping', { 'a/b~': [] }, ['/a~1b~0']],
    ['a list that is none', { users: {} }, ['/users']],
    [
      'every fault of every list',
      { users: [{}], leaves: [{ ...leave, endDate: 'x' }, 3] },
      ['/users/0/id', '/leaves/0/endDate', '/leaves/1'],
    ],
    [
      'a leave of nobody',
      { users: [user], leaves: [leave, { ...leave, id: 'lv_2', userId: 'usr_2' }] },
      ['/leaves/1/userId'],
    ],
    [
      'a leave of nobody that stands before everybody',
      { leaves: [{ ...leave, userId: 'usr_2' }, leave], users: [user] },
      ['/leaves/0/userId', '/leaves/1/id'],
    ],
    [
      'a leave of somebody who has a fault',
      { users: [{ id: 3 }], leaves: [leave] },
      ['/users/0/id'],
    ],
    ['a timesheet of nobody', { timesheets: [timesheet] }, ['/timesheets/0/userId']],
    ['an id that stands twice', { users: [user, user] }, ['/users/1/id']],
    [
      'a task in two projects',
      {
        projects: [
          { id: 'p', tasks: [{ id: 't' }] },
          { id: 'q', tasks: [{ id: 's' }, { id: 't' }] },
        ],
      },
      ['/projects/1/tasks/1/id'],
    ],
    ['a project without tasks', { projects: [{ id: 'p' }] }, ['/projects/0/tasks']],
    [
      'a project whose tasks are none',
      { projects: [{ id: 'p', tasks: 3 }] },
      ['/projects/0/tasks'],
    ],
    [
      'projects and tasks that are none',
      { projects: [[{ tasks: [] }], { id: 'p', tasks: [[], { id: 't', tasks: [3] }, 3] }] },
      ['/projects/0', '/projects/1/tasks/0', '/projects/1/tasks/2'],
    ],
    [
      'a field of the wrong type, and one within a field',
      { schedules: [{ id: 's', pattern: 3 }], invoices: [{ id: 'i', recipient: { name: 3 } }] },
      ['/schedules/0/pattern', '/invoices/0/recipient/name'],
    ],
    ['what lies too deep', { users: [{ id: 'u', x: nested(1000) }] }, ['/users/0']],
  ]

  it.each(cases)('%s', (_title, file, pointers) => {
    const { code, faults } = errorOf(file)
    expect(code).toBe('invalid')
    expect(faults.map((fault) => fault.pointer)).toEqual(pointers)
  })
})

it('the message counts all faults, and only the first hundred are listed', () => {
  expect(errorOf({ users: [{}] }).message).toBe('Nothing was loaded: one fault.')
  const { message, faults } = errorOf({ users: Array.from({ length: 10_003 }, () => ({})) })
  expect(message).toBe('Nothing was loaded: 10003 faults. 9903 more faults are not told.')
  expect(faults).toHaveLength(100)
})

function nested(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
}

function errorOf(file: unknown): AppError {
  try {
    checkCompany(file)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('The file was taken.')
}
