import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect } from 'vitest'

import { it } from '../support/command-line.ts'

describe('workforce', () => {
  it('sample, the same for the same seed, fits import', async ({ line }) => {
    const file = path.join(line.folder, 'line.company.json')
    const words = ['workforce', 'sample', '--users', '12', '--seed', '7']
    const written = await line.run(...words, '--output', file)
    expect(written.output).toMatch(/company\.json: 12 users, /)
    expect((await line.run(...words)).output).toBe(await readFile(file, 'utf8'))
    expect((await line.run('workforce', 'sample', '--users', '12', '--seed', '8')).output).not.toBe(
      await readFile(file, 'utf8'),
    )
    expect(await line.json('workforce', 'import', file)).toMatchObject({ users: 12 })
    const database = `file:${line.folder}/elsewhere.sqlite`
    expect((await line.run('workforce', 'import', file, '--database', database)).output).toMatch(
      /^Loaded 12 users, /,
    )
  })

  it('what cannot be imported is said', async ({ line }) => {
    const wrong = await line.file('wrong.json', '{"users": [{"id": 7}]}')
    expect(await line.run('workforce', 'import', wrong)).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringMatching(/^\/users\/0\/id: /),
    })
    const { code, errors } = await line.run('workforce', 'import', await line.file('no.json', '{'))
    expect([code, errors]).toEqual([1, expect.stringContaining('is not JSON')])
    expect((await line.run('workforce', 'import', '/nowhere.json')).code).toBe(1)
    expect((await line.run('workforce', 'import')).code).toBe(2)
    expect((await line.run('workforce', 'sample', '--users', 'many')).code).toBe(2)
  })
})
