import { describe, expect } from 'vitest'

import { readCsv } from '../support/bench/printed-table.ts'
import { it, type TestCommandLine } from '../support/bridge/command-line.ts'

/** Makes a feed of each person and gives their ids. */
async function make(
  line: TestCommandLine,
  name: string,
  ...userIds: readonly string[]
): Promise<readonly string[]> {
  const rows = userIds.map((userId) => `${userId},${name}\n`).join('')
  const file = await line.file('made.csv', `userId,name\n${rows}`)
  const { output } = await line.run('feed', 'create', '--from', file)
  return readCsv(output).map(({ cells }) => cells['feedId'] ?? '')
}

/** What the status column says, and standard error. */
async function update(
  line: TestCommandLine,
  table: string,
  ...words: readonly string[]
): Promise<readonly [number, readonly (string | undefined)[], string]> {
  const file = await line.file('update.csv', table)
  const { code, output, errors } = await line.run('feed', 'update', '--from', file, ...words)
  return [code, output === '' ? [] : readCsv(output).map(({ cells }) => cells['status']), errors]
}

describe('feed update --from', () => {
  it('each row has its own change over the one for all, and the table can be used again', async ({
    line,
  }) => {
    const [ada, bob] = await make(line, 'Rows', 'usr_ada', 'usr_bob')
    const table = [
      'feedId;timezone;locale;options',
      `${ada};Europe/Lisbon;;"{""leaves"": {""detail"": ""full""}}"`,
      `${bob};;;`,
      `${bob};;;`,
    ].join('\n')
    const words = ['--timezone', 'Europe/Rome', '--options', '{"tasks": {"show": false}}']
    expect(await update(line, table, ...words, '--dry-run')).toEqual([
      0,
      ['would be changed', 'would be changed'],
      '2 feeds: 2 would be changed.\n',
    ])
    expect((await line.json('feed', 'show', ada!)).ownOptions).not.toHaveProperty('tasks')
    const done = await update(line, table, ...words)
    expect(done).toEqual([0, ['changed', 'changed'], '2 feeds: 2 changed.\n'])
    const feeds = [await line.json('feed', 'show', ada!), await line.json('feed', 'show', bob!)]
    expect(feeds).toMatchObject([
      {
        timezone: 'Europe/Lisbon',
        ownOptions: { leaves: { detail: 'full' }, tasks: { show: false } },
      },
      { timezone: 'Europe/Rome', ownOptions: { tasks: { show: false } } },
    ])
    expect(feeds[1]!.ownOptions).not.toHaveProperty('leaves')
    expect((await update(line, table, ...words))[1]).toEqual(['unchanged', 'unchanged'])
    const file = await line.file('json.csv', table)
    const told = await line.run('feed', 'update', '--from', file, '--company', 'main', '--json')
    expect(JSON.parse(told.output).data).toMatchObject([
      { feedId: ada, status: 'done' },
      { feedId: bob },
    ])
  })

  it('a list of feeds can be used as the table, and names that nobody has set follow the language', async ({
    line,
  }) => {
    const { id } = await line.json('feed', 'create', '--user', 'usr_bob')
    const list = await line.run('feed', 'list', '--user', 'usr_bob', '--csv')
    for (const status of ['changed', 'unchanged']) {
      const [code, statuses] = await update(line, list.output, '--locale', 'de')
      expect([code, new Set(statuses)]).toEqual([0, new Set([status])])
      expect((await line.json('feed', 'show', id)).name).toBe('Bobs Arbeitskalender')
    }
    expect((await update(line, `feedId,name\n${id},Bob at work\n`))[1]).toEqual(['changed'])
    expect((await line.json('feed', 'show', id)).name).toBe('Bob at work')
  })

  it('feeds that have ended are skipped, and columns that no update reads are named', async ({
    line,
  }) => {
    const [id] = await make(line, 'Ended', 'usr_ada')
    await line.run('feed', 'revoke', id!)
    expect(await update(line, `feedId,audience,locale\n${id},own,de\n`)).toEqual([
      0,
      ['skipped: has ended'],
      'Note: These columns of the table are ignored: audience.\n1 feed: 1 skipped.\n',
    ])
  })

  it('names every fault by row and column before any change', async ({ line }) => {
    const [one, two] = await make(line, 'Faults', 'usr_ada', 'usr_bob')
    const table = [
      'feedId;timezone;options',
      `${one};Europe/Rome;`,
      `${two};Mars;`,
      `${one};Europe/Paris;`,
      'feed_0;;',
      `${two};;no JSON`,
      `${two};;"{""shifts"": {""scheduleIds"": [""sch_x""]}}"`,
    ].join('\n')
    const [code, rows, errors] = await update(line, table)
    expect([code, rows]).toEqual([1, []])
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^Row 3, timezone "Mars": Must be an IANA time zone/),
      `Row 4: Row 2 changes the feed ${one} differently.`,
      'Row 5, feedId: There is no feed "feed_0".',
      expect.stringMatching(/^Row 6, options: Is not JSON/),
      expect.stringMatching(/^Row 7, scheduleIds: There is no schedule "sch_x"/),
      'Some rows are not valid. Nothing was changed.',
    ])
    expect(await line.json('feed', 'show', one!)).toMatchObject({ timezone: 'Europe/Berlin' })
  })

  it.for<readonly [readonly string[], number, RegExp]>([
    [[], 2, /^Give either the id/],
    [['feed_0', '--from', 'x.csv'], 2, /or --from FILE/],
    [['feed_0', '--dry-run', '--locale', 'de'], 2, /go with --from/],
    [['--from', 'TABLE', '--user', 'usr_ada'], 2, /^--user goes with one feed/],
    [
      ['--from', 'TABLE'],
      1,
      /^Give a change on the command line, or a column in the table: name, timezone, locale, options/,
    ],
    [['--from', 'TABLE', '--locale', 'fr'], 2, /^--locale: Must be en or de/],
    [['--from', 'TABLE', '--options', '{"leaves": {"detail": "all"}}'], 2, /Must be absent/],
  ])('%j exits with code %i', async ([words, code, says], { line }) => {
    const file = await line.file('people.csv', 'userId\nusr_ada\n')
    const filled = words.map((word) => (word === 'TABLE' ? file : word))
    const result = await line.run('feed', 'update', ...filled)
    expect([result.code, result.errors]).toEqual([code, expect.stringMatching(says)])
  })
})
