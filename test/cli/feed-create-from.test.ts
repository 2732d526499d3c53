import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, inject } from 'vitest'

import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import { readCsv } from '../support/bench/printed-table.ts'
import { readsFrom, startBridge } from '../support/bridge/bridge.ts'
import {
  type CommandResult,
  it,
  runCommand,
  type TestCommandLine,
} from '../support/bridge/command-line.ts'
import { startCompanyServer } from '../support/company/company-server.ts'

describe('feed create --from', () => {
  it('Makes one feed per row, once, and new links on request', async ({ line }) => {
    line.company.records.schedules.push({ id: 'sch_a' }, { id: 'sch_b' })
    const file = await line.file(
      'people.csv',
      'userId,email,name,timezone,scheduleIds,options\n' +
        'usr_ada,,=Ada,Asia/Tokyo,sch_a|sch_b,\n' +
        'usr_bob,,,,,"{""tasks"":{""show"":false}}"\n',
    )
    const first = await line.run('feed', 'create', '--from', file)
    expect([first.code, first.errors]).toEqual([0, '2 rows: 2 created.\n'])
    const rows = readCsv(first.output).map(({ cells }) => cells)
    expect(rows.map((row) => row['displayName'])).toEqual(['Ada Lovelace', 'Bob Noyce'])
    expect(rows.map(({ url = '', page }) => url.startsWith(`${page}/`))).toEqual([true, true])
    const shown = await line.json('feed', 'show', rows[0]?.['feedId'] ?? '')
    expect(shown).toMatchObject({
      name: '=Ada',
      timezone: 'Asia/Tokyo',
      options: { shifts: { scheduleIds: ['sch_a', 'sch_b'] } },
    })
    const second = await line.run('feed', 'create', '--from', file)
    expect(second.errors).toBe('2 rows: 2 skipped.\n')
    expect(second.output).not.toContain('cfb_')
    const third = await line.run('feed', 'create', '--from', file, '--rotate-existing')
    expect(third.errors).toBe('2 rows: 2 rotated.\n')
    const addresses = [first, third].flatMap(({ output }) => output.match(/cfb_[\w-]{43}/g) ?? [])
    expect(new Set(addresses).size).toBe(4)
  })

  it('Shows new and rotated addresses as JSON', async ({ line }) => {
    const file = await line.file('json.csv', 'userId,name\nusr_ada,Json\nusr_bob,Json\n')
    for (const [words, status] of [
      [[], 'created'],
      [['--rotate-existing'], 'rotated'],
    ] as const) {
      const { output } = await line.run('feed', 'create', '--from', file, '--json', ...words)
      const url = expect.stringContaining('/feeds/cfb_')
      const { data } = outputSchemas.CreatedFeeds.parse(JSON.parse(output))
      expect(data).toHaveLength(2)
      for (const row of data) {
        expect(row.status).toBe(status)
        expect(row.links).toContainEqual(expect.objectContaining({ label: 'default', url }))
      }
    }
  })

  it('A failed row says why, and the other rows continue', async ({ line }) => {
    const file = await line.file('full.csv', 'userId,name\nusr_ada,Full\nusr_bob,Full\n')
    const made = await line.run('feed', 'create', '--from', file)
    const id = readCsv(made.output)[0]?.cells['feedId'] ?? ''
    addLinks(line, id, 499)
    const again = await line.run('feed', 'create', '--from', file, '--rotate-existing')
    expect([again.code, again.errors]).toEqual([
      1,
      '2 rows: 1 failed, 1 rotated. Running the same command again gives finished feeds yet another address: first remove their rows from the table.\n',
    ])
    const rows = readCsv(again.output).map(({ cells }) => cells['status'])
    expect(rows).toEqual([expect.stringMatching(/^failed: .*500 links/), 'rotated'])
  })

  it('A table without rows is reported', async ({ line }) => {
    const file = await line.file('empty.csv', 'userId,name\n')
    const { code, errors } = await line.run('feed', 'create', '--from', file)
    expect([code, errors]).toEqual([1, 'The table has no rows below its header.\n'])
  })

  it('An address for the mail merge is printed with the e-mail that the Read API knows', async ({
    line,
  }) => {
    line.company.records.users = [
      ...line.company.records.users,
      { id: 'usr_eve', firstName: 'Eve', lastName: '', email: 'eve@example.com' },
    ]
    const file = await line.file('eve.csv', 'userId\nusr_eve\n')
    const { output } = await line.run('feed', 'create', '--from', file)
    expect(readCsv(output)[0]?.cells).toMatchObject({
      userId: 'usr_eve',
      displayName: 'Eve',
      email: 'eve@example.com',
      status: 'created',
    })
    const { data } = JSON.parse((await line.run('feed', 'create', '--from', file, '--json')).output)
    outputSchemas.CreatedFeeds.parse({ data })
    expect(data).toMatchObject([{ status: 'skipped', email: 'eve@example.com' }])
  })

  it('Checks all rows before making the first feed', async ({ line }) => {
    const before = await line.json('feed', 'list')
    const file = await line.file('wrong.csv', 'userId,options\nusr_ada,\nusr_x,\nusr_bob,{]\n,x\n')
    const { code, output, errors } = await line.run('feed', 'create', '--from', file)
    expect([code, output]).toEqual([1, ''])
    expect(
      errors
        .trim()
        .split('\n')
        .map((fault) => fault.split(':')[0]),
    ).toEqual([
      'Row 3 (usr_x), userId',
      'Row 4 (usr_bob), options',
      'Row 5, userId',
      'Row 5, options',
      'To list the people who can get a feed, run bridge feed candidates.',
      'Some rows of the table are not valid. No calendar was made.',
    ])
    expect(await line.json('feed', 'list')).toEqual(before)
  })

  it('A row repeated in the table counts once, however far apart', async ({ line }) => {
    const twice = 'usr_ada,Twice\nusr_ada,Twice\n'
    const others = Array.from({ length: 200 }, (_, index) => `usr_bob,Other ${index}\n`).join('')
    const first = await line.file('twice.csv', `userId,name\n${twice}`)
    const second = await line.file('apart.csv', `userId,name\n${twice}${others}usr_ada,Twice\n`)
    const made = await line.run('feed', 'create', '--from', first)
    expect(statusesOf(made, 'usr_ada')).toEqual(['created', 'skipped'])
    const rotated = await line.run('feed', 'create', '--from', second, '--rotate-existing')
    expect(statusesOf(rotated, 'usr_ada')).toEqual(['rotated', 'skipped', 'skipped'])
  })

  it('A row says if it differs from its feed or makes another calendar', async ({ line }) => {
    const table = (row: string): Promise<string> =>
      line.file('said.csv', `userId,name,locale,timezone,options\n${row}\n`)
    const statusOf = async (row: string): Promise<readonly string[]> => {
      const { output, errors } = await line.run('feed', 'create', '--from', await table(row))
      return [readCsv(output)[0]?.cells['status'] ?? '', errors]
    }
    const hidden = '"{""tasks"":{""show"":false}}"'
    const { id } = await line.json('feed', 'create', '--user', 'usr_bob', '--name', 'Said')
    expect(await statusOf(`usr_bob,Said,de,,${hidden}`)).toEqual([
      'skipped: differs in options, locale; use feed update',
      expect.stringContaining('\n1 row: 1 skipped.\n'),
    ])
    await line.run('feed', 'update', id, '--locale', 'de', '--options', '{"tasks":{"show":false}}')
    expect((await statusOf(`usr_bob,Said,de,,${hidden}`))[0]).toBe('skipped')
    const [status, errors] = await statusOf('usr_bob,Unsaid,,,')
    expect(status).toMatch(/^created: has another calendar, feed_\w+$/)
    expect(errors).toMatch(
      /^Warning: 1 calendar was made for people who have another: company, user and name/,
    )
  })

  it('Feeds of one company do not affect another company', async ({ line }) => {
    const { url: baseUrl } = line.company
    const companies = ['north', 'south'].map((id) => ({ id, baseUrl, timezone: 'Europe/Berlin' }))
    const environment = {
      DATABASE_URL: `file:${line.folder}/companies.sqlite`,
      COMPANIES_FILE: await line.file('companies.json', JSON.stringify(companies)),
      PUBLIC_URL: 'http://127.0.0.1:8080',
    }
    const file = await line.file('both.csv', 'userId\nusr_ada\n')
    const words = ['feed', 'create', '--from', file]
    for (const { id } of companies) {
      const { errors } = await runCommand(environment, ...words, '--company', id)
      expect(errors).toBe('1 row: 1 created.\n')
    }
    const { code, errors } = await runCommand(environment, ...words)
    expect([code, errors]).toEqual([
      2,
      '--company: Must be one of north, south, since there are several companies.\n',
    ])
    const { output: listed } = await runCommand(environment, 'feed', 'list')
    expect(listed).toMatch(/^ID +COMPANY +NAME[^]* north +Ada[^]* south +Ada/)
    const { errors: wrong } = await runCommand(environment, ...words, '--company', 'nort')
    expect(wrong).toBe('--company: There is no company "nort"; did you mean `north`?\n')
    const rest = await line.file('rest.csv', JSON.stringify(companies.slice(1)))
    const revoke = ['feed', 'revoke', '--from', file, '--company', 'north']
    const ended = await runCommand({ ...environment, COMPANIES_FILE: rest }, ...revoke)
    expect([ended.code, ended.errors]).toEqual([0, '1 feed: 1 revoked.\n'])
  })

  it('A second run while the Read API is down makes nothing twice', async ({ line }) => {
    const file = await line.file('down.csv', 'userId\nusr_bob\n')
    await line.run('feed', 'create', '--from', file)
    line.company.faults.set('/users/', 403)
    const { errors } = await line.run('feed', 'create', '--from', file)
    line.company.faults.clear()
    expect(errors).toContain('1 row: 1 skipped.')
  })
})

it('Many rows become as many feeds in order, each address printed when made, with progress', async ({
  line,
}) => {
  const count = inject('isThorough') ? 450 : 250
  const people = Array.from({ length: count }, (_, index) => ({
    id: `usr_${index}`,
    firstName: `Person ${index}`,
  }))
  const many = await startCompanyServer()
  many.records.users = people
  const file = await line.file('many.csv', `userId\n${people.map(({ id }) => id).join('\n')}\n`)
  const environment = {
    ...line.environment,
    ...readsFrom(many.url),
    DATABASE_URL: `file:${line.folder}/many.sqlite`,
  }
  const words = ['feed', 'create', '--from', file]
  const { code, output, errors } = await runCommand(environment, ...words)
  expect(code).toBe(0)
  const rows = readCsv(output).map(({ cells }) => cells)
  expect(new Set(rows.map(({ url }) => url)).size).toBe(count)
  expect(rows.map(({ userId }) => userId)).toEqual(people.map(({ id }) => id))
  expect(errors).toMatch(new RegExp(`^Checked \\d+ of ${count}$`, 'm'))
  for (const made of [200, count])
    expect(errors).toMatch(new RegExp(`^Created ${made} of ${count}$`, 'm'))
  expect(errors).toMatch(new RegExp(`${count} rows: ${count} created\\.\n$`))
  const again = await runCommand(environment, ...words)
  expect(again.errors).toMatch(new RegExp(`${count} rows: ${count} skipped\\.\\n$`))
  const { PUBLIC_URL: _, ...local }: Readonly<Record<string, string>> = environment
  const running = await startBridge({ environment: local })
  const { pathname } = new URL(rows.at(-1)?.['url'] ?? '')
  expect((await fetch(running.url + pathname)).status).toBe(200)
  await running.close()
  await many.close()
})

/** Of the rows of that person in the table that came out. */
function statusesOf({ output }: CommandResult, userId: string): readonly (string | undefined)[] {
  const rows = readCsv(output).map(({ cells }) => cells)
  return rows.filter((row) => row['userId'] === userId).map((row) => row['status']?.split(':')[0])
}

/** As many open links as that, straight into the database: each by itself would wait for the disk. */
function addLinks({ folder }: TestCommandLine, feedId: string, count: number): void {
  const database = new DatabaseSync(path.join(folder, 'bridge.sqlite'))
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into links (token_hash, feed_id, label, created_at)
      select randomblob(32), '${feedId}', 'link ' || n, n from numbers`)
  database.close()
}
