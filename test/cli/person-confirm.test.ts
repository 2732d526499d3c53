import { expect } from 'vitest'

import { it } from '../support/bridge/command-line.ts'
import { ada } from '../support/company/people.ts'

it('An id that is not held has nothing to confirm', async ({ line }) => {
  const { code, errors } = await line.run('person', 'confirm', '--user', 'usr_ada', '--same')
  expect([code, errors]).toEqual([
    1,
    'There is nothing to confirm: no calendar is held back because of the id "usr_ada".\n',
  ])
})

it('Confirming needs either --same or --other, and an existing company', async ({ line }) => {
  const neither = await line.run('person', 'confirm', '--user', 'usr_ada')
  expect([neither.code, neither.errors]).toEqual([2, 'Give --same or --other.\n'])
  const both = await line.run('person', 'confirm', '--user', 'usr_ada', '--same', '--other')
  expect(both.code).toBe(2)
  const words = ['person', 'confirm', '--user', 'usr_ada', '--other', '--company', 'nowhere']
  expect((await line.run(...words)).code).toBe(2)
})

it('A held person continues after being confirmed as the same', async ({ line }) => {
  const { company } = line
  company.records.users = [{ ...ada, email: 'ada@example.com' }]
  await line.json('feed', 'create', '--user', 'usr_ada')
  const newcomer = { ...ada, firstName: 'Eve', lastName: 'Moneypenny', email: 'eve@example.org' }
  company.records.users = [newcomer]
  const refused = await line.run('feed', 'create', '--user', 'usr_ada', '--name', 'Another')
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('bridge person confirm --user usr_ada')
  const { code, output } = await line.run('person', 'confirm', '--user', 'usr_ada', '--same')
  expect([code, output]).toEqual([
    0,
    'usr_ada is the same person. The new name and mail address are saved, and calendars continue.\n',
  ])
  await line.json('feed', 'create', '--user', 'usr_ada', '--name', 'Another')
})
