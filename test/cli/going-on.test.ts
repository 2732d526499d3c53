/* What ends a run over a table before its last row is told with how to go on. */
import { describe, expect } from 'vitest'

import { readCsv } from '../support/bench/printed-table.ts'
import {
  type CommandResult,
  it,
  runUntil,
  type TestCommandLine,
} from '../support/bridge/command-line.ts'

const firstRow = /^usr_|^\{"data"/m

function rowsOf({ output }: CommandResult): readonly Readonly<Record<string, string>>[] {
  return readCsv(output).map(({ cells }) => cells)
}

async function tableOf(line: TestCommandLine, name: string, count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, index) => `usr_ada,${name} ${index}\n`)
  return line.file(`${name}.csv`, `userId,name\n${rows.join('')}`)
}

describe('a command stopped before its end', () => {
  it('feed create --from has printed all that it made, and the same command makes the rest', async ({
    line,
  }) => {
    const words = ['feed', 'create', '--from', await tableOf(line, 'Part', 201)]
    const first = await runUntil({ at: firstRow }, line.environment, ...words)
    expect(first.code).toBe(1)
    expect(first.errors.trim().split('\n').at(-1)).toBe(
      'Stopped before the end. 200 of 201 rows are done and in the output so far: keep it, no address is shown twice. You can safely run the same command again: it skips what exists and creates the rest. Write to another file.',
    )
    const made = rowsOf(first)
    expect(new Set(made.map(({ url }) => url)).size).toBe(200)
    expect((await line.json('feed', 'list', '--search', 'Part')).data).toHaveLength(200)
    const second = await line.run(...words)
    expect(second.errors).toContain('201 rows: 200 skipped, 1 created.')
  })

  it('A rotation advises against running it again, and its JSON is complete', async ({ line }) => {
    const file = await tableOf(line, 'Turn', 3)
    await line.run('feed', 'create', '--from', file)
    const words = ['feed', 'create', '--from', file, '--rotate-existing', '--json']
    const { code, output, errors } = await runUntil({ at: firstRow }, line.environment, ...words)
    expect(code).toBe(1)
    expect(JSON.parse(output)).toMatchObject({ data: [{ status: 'rotated' }] })
    expect(errors).toContain('1 of 3 rows are done and in the output so far: keep it')
    expect(errors).toContain('yet another address: first remove their rows from the table.\n')
  })

  it('feed revoke --from can be run again', async ({ line }) => {
    const made = await line.run('feed', 'create', '--from', await tableOf(line, 'End', 3))
    const words = ['feed', 'revoke', '--from', await line.file('end.csv', made.output)]
    const first = await runUntil({ at: firstRow }, line.environment, ...words)
    expect([first.code, rowsOf(first)]).toMatchObject([1, [{ status: 'revoked' }]])
    expect(first.errors).toBe(
      'Stopped before the end. 1 of 3 feeds are done and in the output so far. You can safely run the same command again: it skips what has ended.\n',
    )
    const second = await line.run(...words)
    expect(second.errors).toBe('3 feeds: 1 skipped, 2 revoked.\n')
  })

  it('feed update --from can be run again', async ({ line }) => {
    const made = await line.run('feed', 'create', '--from', await tableOf(line, 'Later', 3))
    const file = await line.file('later.csv', made.output)
    const words = ['feed', 'update', '--from', file, '--timezone', 'Europe/Rome']
    const first = await runUntil({ at: firstRow }, line.environment, ...words)
    expect([first.code, rowsOf(first)]).toMatchObject([1, [{ status: 'changed' }]])
    expect(first.errors).toBe(
      'Stopped before the end. 1 of 3 feeds are done and in the output so far. You can safely run the same command again: it leaves what is changed already.\n',
    )
    const second = await line.run(...words)
    expect(second.errors).toBe('3 feeds: 1 unchanged, 2 changed.\n')
  })

  it('Lost output can lose addresses, and the error says how to get new ones', async ({ line }) => {
    const made = await line.run('feed', 'create', '--from', await tableOf(line, 'Lost', 3))
    const words = ['feed', 'rotate', '--from', await line.file('lost.csv', made.output)]
    const end = { at: firstRow, byOutput: true }
    const { code, errors } = await runUntil(end, line.environment, ...words)
    expect([code, errors]).toEqual([
      1,
      'Standard output cannot be written. 1 of 3 feeds are done, and not all of them are in the output: feed rotate --from gives those new addresses.\n',
    ])
  })

  it('Before the first change, the message says that nothing was changed', async ({ line }) => {
    const file = await tableOf(line, 'None', 2)
    const end = { at: /^$/ }
    const created = await runUntil(end, line.environment, 'feed', 'create', '--from', file)
    expect(created).toMatchObject({ code: 1, output: '' })
    expect(created.errors).toContain('Nothing was changed; the same command starts over.\n')
    const candidates = await runUntil(end, line.environment, 'feed', 'candidates')
    expect([candidates.code, candidates.output, candidates.errors]).toEqual([
      1,
      '',
      'Stopped before the end; nothing was changed. Run the same command again to continue.\n',
    ])
  })
})
