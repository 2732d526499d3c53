import { expect } from 'vitest'

import { it } from '../support/bridge/command-line.ts'
import { ada } from '../support/company/people.ts'

it('Before anybody is known, the list says how people are found', async ({ line }) => {
  expect(await line.run('people')).toEqual({
    code: 0,
    output: '',
    errors: 'Nobody is known yet: start the bridge, or run bridge feed candidates.\n',
  })
  expect(await line.json('people')).toEqual({
    data: [],
    nextCursor: null,
    directory: { lookedAt: null, problems: [] },
  })
})

it('People are listed by name with their manager, calendars and problems', async ({ line }) => {
  line.company.records.users[0] = { ...ada, email: 'ada@example.com', assignedManagerId: 'usr_bob' }
  await line.json('feed', 'create', '--user', 'usr_ada')
  await line.run('feed', 'candidates')
  const { output, errors } = await line.run('people', '--search', 'ADA@')
  expect(errors).toBe('')
  expect(output.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
    ['ID', 'NAME', 'MAIL', 'MANAGER', 'STATE', 'FEEDS', 'LAST ASKED (UTC)', 'BY', 'PROBLEMS'],
    [
      'usr_ada',
      'Ada Lovelace',
      'ada@example.com',
      'Bob Noyce',
      'active',
      '1',
      '–',
      '–',
      'Leaves have not been read yet: the first poll of a calendar reads them.',
    ],
    [''],
  ])
  const idsOf = async (...words: string[]): Promise<unknown> => {
    const { data } = await line.json('people', ...words)
    return (data as readonly { userId: string }[]).map(({ userId }) => userId)
  }
  expect(await idsOf()).toEqual(['usr_ada', 'usr_bob'])
  expect(await idsOf('--feed', 'none')).toEqual(['usr_bob'])
  expect(await idsOf('--feed', 'unpolled')).toEqual(['usr_ada'])
  expect((await line.run('people', '--state', 'left')).errors).toBe('No matching people.\n')
  expect((await line.run('people', '--company', 'nowhere')).code).toBe(2)
})
