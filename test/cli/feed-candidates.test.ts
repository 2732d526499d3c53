import { describe, expect } from 'vitest'

import { readCsv } from '../support/bench/printed-table.ts'
import { it } from '../support/bridge/command-line.ts'

describe('feed candidates', () => {
  it('Writes the visible people as a table for feed create --from', async ({ line }) => {
    const { code, output } = await line.run('feed', 'candidates')
    expect([code, output]).toEqual([
      0,
      'userId,displayName,email\r\nusr_ada,Ada Lovelace,\r\nusr_bob,Bob Noyce,\r\n',
    ])
    const file = await line.file('candidates.csv', output)
    const made = await line.run('feed', 'create', '--from', file)
    expect(readCsv(made.output).map(({ cells }) => cells['displayName'])).toEqual([
      'Ada Lovelace',
      'Bob Noyce',
    ])
    const { data: feeds } = await line.json('feed', 'list')
    expect(feeds.map(({ name }) => name).toSorted()).toEqual([
      "Ada's work calendar",
      "Bob's work calendar",
    ])
    expect(await line.json('feed', 'candidates', '--company', 'main')).toEqual({
      data: [
        { userId: 'usr_ada', displayName: 'Ada Lovelace', email: '' },
        { userId: 'usr_bob', displayName: 'Bob Noyce', email: '' },
      ],
    })
  })

  it('Writes the table for Excel, and reads it back in the form that Excel saves', async ({
    line,
  }) => {
    const { output } = await line.run('feed', 'candidates', '--excel')
    expect(output).toBe(
      '\uFEFFuserId;displayName;email\r\nusr_ada;Ada Lovelace;\r\nusr_bob;Bob Noyce;\r\n',
    )
    expect((await line.run('feed', 'candidates', '--excel', '--json')).code).toBe(2)
    const edited = 'userId;name;locale\r\nusr_bob;Büro von Bob;de\r\n'
    const file = await line.file('excel.csv', Buffer.from(`\uFEFF${edited}`))
    const made = await line.run('feed', 'create', '--from', file, '--excel')
    expect(made.output).toMatch(/^\uFEFFuserId;displayName;email;feedId;label;url;page;status\r\n/)
    const id = readCsv(made.output)[0]?.cells['feedId'] ?? ''
    expect(await line.json('feed', 'show', id)).toMatchObject({
      name: 'Büro von Bob',
      locale: 'de',
    })
  })

  it('Leaves out people who have left', async ({ line }) => {
    const [ada, bob] = line.company.records.users
    line.company.records.users = [ada!, bob!, { ...bob!, id: 'usr_cleo', isActive: false }]
    const cleos = { ...line.company.records.timesheets[0]!, id: 'clqcleo', userId: 'usr_cleo' }
    line.company.records.timesheets.push(cleos)
    const { data } = await line.json('feed', 'candidates')
    expect(data.map(({ userId }) => userId)).toEqual(['usr_ada', 'usr_bob'])
  })

  it('Reports a fault in one sentence and still lists the people it could see', async ({
    line,
  }) => {
    expect((await line.run('feed', 'candidates', '--company', 'else')).code).toBe(2)
    line.company.faults.set('/timesheets', 403)
    const { code, output, errors } = await line.run('feed', 'candidates')
    line.company.faults.clear()
    expect(code).toBe(1)
    expect(output).toContain('usr_ada,Ada Lovelace,')
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^People may be missing: the timesheets could not be read/),
    ])
  })
})
