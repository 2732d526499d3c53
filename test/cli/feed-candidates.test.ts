import { describe, expect } from 'vitest'

import { it } from '../support/command-line.ts'

describe('feed candidates', () => {
  it('writes the people that can be seen as a table for feed create --from', async ({ line }) => {
    const { code, output } = await line.run('feed', 'candidates')
    expect([code, output]).toEqual([
      0,
      'userId,displayName,email\r\nusr_ada,Ada Lovelace,\r\nusr_bob,Bob Noyce,\r\n',
    ])
    const file = await line.file('candidates.csv', output)
    expect((await line.run('feed', 'create', '--from', file)).code).toBe(0)
    expect(await line.json('feed', 'candidates', '--company', 'main')).toEqual({
      data: [
        { userId: 'usr_ada', name: 'Ada Lovelace', email: '' },
        { userId: 'usr_bob', name: 'Bob Noyce', email: '' },
      ],
    })
  })

  it('leaves out who has left', async ({ line }) => {
    const [ada, bob] = line.company.records.users
    line.company.records.users = [ada!, bob!, { ...bob!, id: 'usr_cleo', isActive: false }]
    const cleos = { ...line.company.records.timesheets[0]!, id: 'clqcleo', userId: 'usr_cleo' }
    line.company.records.timesheets.push(cleos)
    const { data } = await line.json('feed', 'candidates')
    expect(data.map(({ userId }) => userId)).toEqual(['usr_ada', 'usr_bob'])
  })

  it('says what is wrong in one sentence, beside those who could be seen all the same', async ({
    line,
  }) => {
    expect((await line.run('feed', 'candidates', '--company', 'else')).code).toBe(2)
    line.company.faults.set('/timesheets', 403)
    const { code, output, errors } = await line.run('feed', 'candidates')
    line.company.faults.clear()
    expect(code).toBe(1)
    expect(output).toContain('usr_ada,Ada Lovelace,')
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^People may be missing, since the timesheets could not be read/),
    ])
  })
})
