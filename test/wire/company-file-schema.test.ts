import { expect, it } from 'vitest'
import { z } from 'zod'

import { sampleCompany } from '../../src/sandbox/sample-company.ts'
import { companyFileSchema } from '../../src/wire/company-file.ts'
import { smallCompany } from '../sandbox/company.ts'

const schema = companyFileSchema()
const read = z.fromJSONSchema(schema)

it('the schema is of draft 2020-12 and describes every kind of record', () => {
  const { $schema, $defs } = schema
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema')
  const described = Object.entries($defs as object).filter(([, { description }]) => description)
  expect(described.map(([name]) => name)).toEqual(Object.keys($defs as object))
  expect(Object.keys($defs as object)).toEqual(
    expect.arrayContaining([
      'User',
      'Leave',
      'Project',
      'Task',
      'Schedule',
      'Timesheet',
      'Invoice',
    ]),
  )
})

it.each([
  ['its own example', (schema['examples'] as unknown[])[0]],
  ['the sample', sampleCompany({ today: '2026-11-21' })],
  ['a company with records of all kinds', smallCompany],
  ['a company without anyone', {}],
])('the schema accepts %s', (_, company) => {
  expect(read.safeParse(company).error).toBeUndefined()
})

it.each([
  ['a misspelt list', { user: [] }],
  ['a list that is none', { users: {} }],
  ['a user without an id', { users: [{}] }],
  ['a leave of nobody', { leaves: [{ ...smallCompany.leaves?.[0], userId: undefined }] }],
  ['a day that there is not', { users: [{ id: 'usr_1', createdAt: '2026-02-30T00:00:00Z' }] }],
  ['a project without tasks', { projects: [{ id: 'prj_1' }] }],
])('the schema rejects %s', (_, company) => {
  expect(read.safeParse(JSON.parse(JSON.stringify(company))).success).toBe(false)
})
