import { describe, expect, it } from 'vitest'

import { AppError } from '../../src/domain/errors.ts'
import { parseCompanyFile } from '../../src/wire/company-file.ts'

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

it('an empty file is a company without anyone', () => {
  expect(parseCompanyFile({})).toEqual({})
})

it('timestamps come out in the shape of the spec, all else as it stands', () => {
  const users = [{ ...user, createdAt: '2026-01-05T01:00:00+01:00', badge: 7, email: null }]
  expect(parseCompanyFile({ users })).toEqual({
    users: [{ ...user, createdAt: '2026-01-05T00:00:00.000Z', badge: 7, email: null }],
  })
})

describe('faults, each with its path', () => {
  const cases: [title: string, file: unknown, pointers: string[]][] = [
    ['no object', [], ['']],
    ['no JSON object at all', null, ['']],
    ['a misspelt list', { user: [] }, ['']],
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
      'a field of the wrong type, and one within a field',
      { schedules: [{ id: 's', pattern: 3 }], invoices: [{ id: 'i', recipient: { name: 3 } }] },
      ['/schedules/0/pattern', '/invoices/0/recipient/name'],
    ],
  ]

  it.each(cases)('%s', (_title, file, pointers) => {
    const { code, faults, message } = errorOf(file)
    expect(code).toBe('invalid')
    expect(faults.map((fault) => fault.pointer)).toEqual(pointers)
    expect(message).toMatch(/^The company does not fit: .+\.$/)
  })
})

it('the sentence names the first fault and counts the others', () => {
  expect(errorOf({ users: [{}, {}, {}] }).message).toBe(
    'The company does not fit: /users/0/id: Invalid input: expected identifier (and 2 more).',
  )
})

function errorOf(file: unknown): AppError {
  try {
    parseCompanyFile(file)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('The file was taken.')
}
