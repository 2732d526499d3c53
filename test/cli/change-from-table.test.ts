import { describe, expect } from 'vitest'

import { readCsv } from '../support/bench/printed-table.ts'
import { it, type TestCommandLine } from '../support/bridge/command-line.ts'

/** Makes feeds by a table and gives the one that came out, with the ids in it. */
async function make(
  line: TestCommandLine,
  name: string,
  ...userIds: readonly string[]
): Promise<{ readonly file: string; readonly ids: readonly string[] }> {
  const rows = userIds.map((userId) => `${userId},${name}\n`).join('')
  const { output } = await line.run(
    'feed',
    'create',
    '--from',
    await line.file('made.csv', `userId,name\n${rows}`),
    '--excel',
  )
  const ids = readCsv(output).map(({ cells }) => cells['feedId'] ?? '')
  return { file: await line.file(`${name}.csv`, output), ids }
}

describe('feed rotate --from', () => {
  it('The table that made the links can be used to rotate them', async ({ line }) => {
    const { file, ids } = await make(line, 'Rotated', 'usr_ada', 'usr_bob')
    const words = ['feed', 'rotate', '--from', file, '--grace-days', '7']
    const { code, output, errors } = await line.run(...words)
    expect([code, errors]).toEqual([0, '2 feeds: 2 rotated.\n'])
    const rows = readCsv(output).map(({ cells }) => cells)
    expect(rows).toMatchObject([
      { userId: 'usr_ada', displayName: 'Ada Lovelace', feedId: ids[0], label: 'default' },
      { userId: 'usr_bob', displayName: 'Bob Noyce', feedId: ids[1], status: 'rotated' },
    ])
    for (const { url = '', page } of rows) expect(url).toBe(`${page}/rotated.ics`)
    const { links } = await line.json('feed', 'show', ids[0] ?? '')
    expect(links.map(({ label }) => label.replace(/ .*/, ''))).toEqual(['default', 'default'])

    const { output: json } = await line.run(...words, '--json')
    const { data } = JSON.parse(json)
    expect(data).toMatchObject(
      ids.map((feedId) => ({ feedId, status: 'done', page: expect.stringMatching(/cfb_/) })),
    )
    const { errors: told } = await line.run(...words, '--company', 'main')
    expect(told).toContain('Of 2 feeds other addresses go on: the status names them')
    expect(data[0].note).toMatch(/^The address "default \(rotated .*\)" still works until /)
    const { label = '' } = links.find((link) => link.label.includes('rotated')) ?? {}
    const old = [...words, '--label', label, '--dry-run']
    const failed = (await line.run(...old, '--company', 'main')).output
    expect(failed).toContain('failed: This address was already replaced')
    const excel = await line.run(...words, '--excel')
    expect(excel.output).toMatch(/^\uFEFFuserId;displayName;/)
  })

  it('A row with a person means all feeds of that person alone, and a note says so', async ({
    line,
  }) => {
    const [one] = (await make(line, 'One', 'usr_bob')).ids
    const [two] = (await make(line, 'Two', 'usr_bob')).ids
    const both = ['--user', 'usr_ada', '--user', 'usr_bob']
    const { id: shared } = await line.json('feed', 'create', ...both, '--name', 'Both')
    const file = await line.file('bob.csv', `userId,feedId\nusr_bob,\n,${one}\nusr_bob,\n`)
    const { output, errors } = await line.run('feed', 'rotate', '--from', file)
    const rotated = readCsv(output).map(({ cells }) => cells['feedId'])
    expect(rotated).toEqual(expect.arrayContaining([one, two]))
    expect(new Set(rotated).size).toBe(rotated.length)
    expect(rotated).not.toContain(shared)
    expect(errors).toMatch(
      /^Note: usr_bob has \d feeds; all of them are included; usr_bob is in 1 feed with others too; it does not change\.$/m,
    )
    expect(errors.match(/^Note/gm)).toHaveLength(1)
  })

  it('Every fault is reported by row and column before any change', async ({ line }) => {
    const { ids } = await make(line, 'Checked', 'usr_ada', 'usr_bob')
    await line.run('feed', 'revoke', ids[1] ?? '')
    const rows = [`${ids[0]},`, 'feed_0,', `${ids[0]},usr_bob`, `${ids[1]},`, ',usr_x', ' , x']
    const file = await line.file('faults.csv', ['feedId,userId', ...rows].join('\n'))
    const { code, output, errors } = await line.run('feed', 'rotate', '--from', file)
    expect([code, output]).toEqual([1, ''])
    expect(errors.trim().split('\n')).toEqual([
      'Row 3, feedId: There is no feed "feed_0".',
      `Row 4 (usr_bob), userId: The feed ${ids[0]} shows usr_ada, not "usr_bob".`,
      'Row 6 (usr_x), userId: There is no feed of "usr_x" alone.',
      'Row 7 (x), userId: There is no feed of "x" alone.',
      'Some rows name no feed. Nothing was changed.',
    ])
    const { links } = await line.json('feed', 'show', ids[0] ?? '')
    expect(links).toHaveLength(1)
  })

  it.for<readonly [readonly string[], number, RegExp]>([
    [[], 2, /^Give either the id/],
    [['feed_0', '--from', 'x.csv'], 2, /or --from FILE/],
    [['feed_0', '--excel'], 2, /go with --from/],
    [['feed_0', '--dry-run'], 2, /go with --from/],
    [['--from', 'x.csv', '--grace-days', '366'], 2, /0 to 365/],
    [['--from', 'x.csv', '--label', '..'], 2, /one line of 1 to 100/],
    [['--from', 'x.csv', '--label', '\u200B'], 2, /at least one of them visible/],
    [['--from', '/nowhere.csv'], 1, /cannot be read/],
  ])('%j exits with code %i', async ([words, code, says], { line }) => {
    const result = await line.run('feed', 'rotate', ...words)
    expect([result.code, result.errors]).toEqual([code, expect.stringMatching(says)])
  })

  it('A table without a column for feeds or people is refused', async ({ line }) => {
    const file = await line.file('neither.csv', 'name\nAda\n')
    const { errors } = await line.run('feed', 'revoke', '--from', file)
    expect(errors).toBe(
      'The first line of the table needs a column feedId or userId; it has name.\n',
    )
  })
})

describe('feed revoke --from', () => {
  it('An unknown company is wrong usage, reported once', async ({ line }) => {
    const file = await line.file('left.csv', 'userId\nusr_ada\nusr_bob\n')
    for (const kind of ['revoke', 'rotate']) {
      const { code, errors } = await line.run('feed', kind, '--from', file, '--company', 'mian')
      expect([code, errors]).toEqual([
        2,
        '--company: There is no company "mian"; did you mean `main`?\n',
      ])
    }
  })

  it('Feeds end, or one link of each, and the same table can be used again', async ({ line }) => {
    const { file, ids } = await make(line, 'Revoked', 'usr_ada', 'usr_bob')
    for (const id of ids) await line.run('feed', 'link', id, '--label', 'phone')
    const statuses = async (
      ...words: readonly string[]
    ): Promise<readonly (string | undefined)[]> => {
      const { code, output } = await line.run('feed', 'revoke', '--from', file, ...words)
      expect(code).toBe(0)
      return readCsv(output).map(({ cells }) => cells['status'])
    }
    expect(await statuses('--label', 'phone')).toEqual(['revoked', 'revoked'])
    expect(await statuses('--label', 'phone')).toEqual(['skipped: has ended', 'skipped: has ended'])
    expect((await line.json('feed', 'show', ids[0] ?? '')).revokedAt).toBeNull()
    await line.run('feed', 'revoke', ids[0] ?? '')
    expect(await statuses('--dry-run')).toEqual(['skipped: has ended', 'would be revoked'])
    const rotated = await line.run('feed', 'rotate', '--from', file, '--dry-run')
    expect(rotated.errors).toBe('2 feeds: 1 skipped, 1 would be rotated.\n')
    expect(await statuses()).toEqual(['skipped: has ended', 'revoked'])
    expect(await statuses('--purge')).toEqual(['revoked', 'revoked'])
    expect(await statuses('--purge')).toEqual(['skipped: has ended', 'skipped: has ended'])
    expect((await line.json('feed', 'show', ids[1] ?? '')).revokedAt).not.toBeNull()
  })
})
