import { describe, expect } from 'vitest'

import { it } from '../support/command-line.ts'

describe('feed candidates', () => {
  it('writes the people that can be seen as a table for feed create --from', async ({ line }) => {
    const { code, output } = await line.run('feed', 'candidates')
    expect([code, output]).toEqual([
      0,
      'userId,name,email\r\nusr_ada,Ada Lovelace,\r\nusr_bob,Bob Noyce,\r\n',
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
    const [ada, bob, ...others] = line.company.records.users
    line.company.records.users = [ada!, { ...bob!, isActive: false }, ...others]
    const { data } = await line.json('feed', 'candidates')
    line.company.records.users = [ada!, bob!, ...others]
    expect(data.map(({ userId }) => userId)).toEqual(['usr_ada'])
  })

  it('says what is wrong in one sentence', async ({ line }) => {
    expect((await line.run('feed', 'candidates', '--company', 'else')).code).toBe(2)
    line.company.faults.set('/timesheets', 403)
    const { code, errors } = await line.run('feed', 'candidates')
    line.company.faults.clear()
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
  })
})
