import { describe, expect } from 'vitest'

import { it } from '../support/bridge/command-line.ts'

describe('workforce with hostile or mistaken input', () => {
  it('A name in a file cannot start a line of its own', async ({ line }) => {
    const text = String.raw`{"users": [{"id": "a"}], "x\nLoaded 9 users\u001b[31m": []}`
    const { errors } = await line.run('workforce', 'import', await line.file('lines.json', text))
    expect(errors).toMatch(/^\/x\\u000aLoaded 9 users\\u001b\[31m: /)
  })

  it('A company name that URLs treat as a path step is refused', async ({ line }) => {
    const file = await line.file('one.json', '{"users": [{"id": "a"}]}')
    const { code, errors } = await line.run('workforce', 'import', file, '--company', '..')
    expect([code, errors]).toEqual([2, expect.stringContaining('not dots alone')])
  })

  it('A company that was never loaded is not reset', async ({ line }) => {
    expect(await line.run('workforce', 'reset', '--company', 'mian')).toEqual({
      code: 1,
      output: '',
      errors: 'There is no company mian; did you mean `main`?\n',
    })
  })

  it('A sample larger than an import allows is refused', async ({ line }) => {
    const { code, errors } = await line.run('workforce', 'sample', '--users', '1000000000')
    expect([code, errors]).toEqual([2, expect.stringContaining('It must be 0 to 20000.')])
  })
})
