import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect } from 'vitest'

import { it } from '../support/bridge/command-line.ts'

describe('workforce', () => {
  it('sample is the same for the same seed and can be imported', async ({ line }) => {
    const file = path.join(line.folder, 'line.company.json')
    const words = ['workforce', 'sample', '--users', '12', '--seed', '7']
    const written = await line.run(...words, '--output', file)
    expect(written.output).toMatch(/company\.json: 12 users, /)
    expect((await line.run(...words)).output).toBe(await readFile(file, 'utf8'))
    expect((await line.run('workforce', 'sample', '--users', '12', '--seed', '8')).output).not.toBe(
      await readFile(file, 'utf8'),
    )
    expect(await line.json('workforce', 'import', file)).toMatchObject({
      companyId: 'main',
      changed: true,
      users: 12,
    })
    expect((await line.run('workforce', 'import', file)).output).toMatch(
      /^Nothing changed: the company main already holds exactly this \(12 users, /,
    )
    const elsewhere = ['--company', 'acme', '--database', `file:${line.folder}/elsewhere.sqlite`]
    expect((await line.run('workforce', 'import', file, ...elsewhere)).output).toMatch(
      /^Loaded 12 users, .* into the company acme\.\n$/,
    )
  })

  it('Input that cannot be imported is reported', async ({ line }) => {
    const wrong = await line.file('wrong.json', '{"users": [{"id": 7}], "leave": []}')
    expect(await line.run('workforce', 'import', wrong)).toEqual({
      code: 1,
      output: '',
      errors:
        '/leave: Invalid input: there is no such list; did you mean `leaves`?\n' +
        '/users/0/id: Invalid input: expected identifier: a text of 1 to 256 characters, none of them a control character\n' +
        'Nothing was loaded: 2 faults.\n',
    })
    const { code, errors } = await line.run('workforce', 'import', await line.file('no.json', '{'))
    expect([code, errors]).toEqual([1, expect.stringContaining('is not JSON: ')])
    expect((await line.run('workforce', 'import', '/nowhere.json')).code).toBe(1)
    expect((await line.run('workforce', 'import')).code).toBe(2)
    expect((await line.run('workforce', 'import', wrong, '--company', 'a/b')).code).toBe(2)
    expect((await line.run('workforce', 'sample', '--users', 'many')).code).toBe(2)
  })

  it('A company without people is loaded only with --empty', async ({ line }) => {
    const file = await line.file('empty.json', '{}')
    expect(await line.run('workforce', 'import', file)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^\/users: .*--empty/),
    })
    expect(await line.json('workforce', 'import', file, '--empty')).toMatchObject({ users: 0 })
  })

  it('Records that have no use are loaded unchanged', async ({ line }) => {
    const text = '{"users": [{"id": "usr_1"}], "schedules": [{"id": "sch_1", "type": "ODD"}]}'
    const file = await line.file('odd.json', text)
    expect(await line.run('workforce', 'import', file, '--company', 'odd')).toEqual({
      code: 0,
      output: 'Loaded 1 user, 1 schedule into the company odd.\n',
      errors: '',
    })
  })

  it('The progress of a long file is shown', async ({ line }) => {
    const users = Array.from({ length: 10_000 }, (_, index) => ({ id: `usr_${index}` }))
    const file = await line.file('long.json', JSON.stringify({ users }))
    const { code, errors } = await line.run('workforce', 'import', file)
    expect(code).toBe(0)
    expect(errors).toMatch(/^Checked 500 of 10000\n(?:Checked .*\n)+Loaded 500 of 10000\n/)
    expect(errors).toMatch(/\nLoaded 10000 of 10000\n$/)
  })

  it('reset turns main into the sample company again', async ({ line }) => {
    const file = await line.file('one.json', '{"users": [{"id": "usr_1"}]}')
    await line.json('workforce', 'import', file)
    expect((await line.run('workforce', 'reset')).output).toBe(
      'The company main is the sample company of today.\n',
    )
    expect(await line.json('workforce', 'import', file)).toMatchObject({ changed: true })
    expect(await line.json('workforce', 'reset', '--company', 'odd')).toEqual({ companyId: 'odd' })
  })
})
