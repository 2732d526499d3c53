/* Every command as an operator types it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readCell } from '../../src/feeds/csv.ts'
import { readCsv } from '../../src/feeds/read-csv.ts'
import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import type { ApiAnswer } from '../support/api-answer.ts'
import { readsFrom, startBridge } from '../support/bridge.ts'
import { type CommandResult, runCommand } from '../support/command-line.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { twoPeople } from '../support/people.ts'

let folder: string
let company: CompanyServer
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bridge-cli-'))
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  environment = {
    ...readsFrom(company.url),
    DATABASE_URL: `file:${folder}/bridge.sqlite`,
    WORKFORCE_DATABASE_URL: `file:${folder}/workforce.sqlite`,
    WORKFORCE_PROJECTS: 'prj_web',
  }
})

afterAll(async () => {
  await company.close()
  await rm(folder, { recursive: true })
})

const bridge = (...words: readonly string[]): Promise<CommandResult> =>
  runCommand(environment, ...words)

async function json(...words: readonly string[]): Promise<ApiAnswer> {
  const { code, output, errors } = await bridge(...words, '--json')
  expect([code, errors]).toEqual([0, ''])
  return JSON.parse(output) as ApiAnswer
}

async function table(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

const create = (name: string): Promise<ApiAnswer> =>
  json('feed', 'create', '--user', 'usr_ada', '--name', name)

describe('feed create', () => {
  test('prints the address, or the feed as the API answers with it', async () => {
    const { code, output } = await bridge('feed', 'create', '--user', 'usr_ada')
    expect(code).toBe(0)
    expect(output).toMatch(
      /^feed_\w+ {2}Ada's work calendar\nhttp:\/\/127\.0\.0\.1:8080\/feeds\/cfb_[\w-]{43}\/adas-work-calendar\.ics\n$/,
    )
    const words = [
      '--user',
      'usr_ada',
      '--user',
      'usr_bob',
      '--timezone',
      'Asia/Tokyo',
      '--locale',
      'de',
    ]
    const feed = await json('feed', 'create', ...words, '--options', '{"leaves":{"detail":"type"}}')
    outputSchemas.Feed.parse(feed)
    expect(feed).toMatchObject({ audience: 'others', timezone: 'Asia/Tokyo', locale: 'de' })
  })

  test('goes on without the Read API, and says so', async () => {
    company.faults.set('/users/', 404)
    company.faults.set('/users/usr_ada', 403)
    company.faults.delete('/users/')
    const { code, errors } = await bridge('feed', 'create', '--user', 'usr_ada')
    company.faults.clear()
    expect(code).toBe(0)
    expect(errors).toMatch(/^Warning: The users could not be checked/)
  })

  test.each([
    [[], 2, /--user ID, or --from/],
    [['--user', 'usr_ada', '--from', 'x.csv'], 2, /cannot be used with/],
    [['--user', 'usr_ada', '--options', '{'], 2, /must be JSON/],
    [['--user', 'usr_ada', '--options', '[]'], 2, /must be a JSON object/],
    [
      ['--user', 'usr_ada', '--options', '{"nope":1}'],
      2,
      /^options\/nope: There is no such member/,
    ],
    [['--user', 'usr_ada', '--timezone', 'Mars'], 2, /^timezone: Must be an IANA time zone/],
    [['--user', 'usr_ada', '--company', 'else'], 2, /^companyId: There is no company "else"/],
    [['--user', 'usr_ada', '--colour', 'red'], 2, /unknown option/],
    [['--user', 'usr_ada', '--rotate-existing'], 2, /goes with --from/],
    [['--user', 'usr_nobody'], 1, /^userIds\/0: There is no user "usr_nobody"/],
    [['--from', '/nowhere.csv'], 1, /cannot be read/],
  ])('%j ends with %i', async (words, code, says) => {
    const result = await bridge('feed', 'create', ...words)
    expect([result.code, result.output]).toEqual([code, ''])
    expect(result.errors).toMatch(says)
  })
})

describe('feed create --from', () => {
  test('makes a feed per row, once, and new links where they are asked for', async () => {
    const file = await table(
      'people.csv',
      'userId,email,name,timezone,scheduleIds,options\n' +
        'usr_ada,x,=Ada,Asia/Tokyo,sch_a|sch_b,\n' +
        'usr_bob,y,,,,"{""tasks"":{""show"":false}}"\n',
    )
    const first = await bridge('feed', 'create', '--from', file)
    expect([first.code, first.errors]).toEqual([0, '2 rows: 2 created, 0 rotated, 0 skipped.\n'])
    const rows = readCsv(first.output).map(({ cells }) => cells)
    expect(rows.map((row) => readCell(row['name'] ?? ''))).toEqual(['=Ada', "Bob's work calendar"])
    expect(first.output).toContain("usr_ada,'=Ada,")
    const shown = await json('feed', 'show', rows[0]?.['feedId'] ?? '')
    expect(shown).toMatchObject({
      timezone: 'Asia/Tokyo',
      options: { shifts: { scheduleIds: ['sch_a', 'sch_b'] } },
    })
    const second = await bridge('feed', 'create', '--from', file)
    expect(second.errors).toBe('2 rows: 0 created, 0 rotated, 2 skipped.\n')
    expect(second.output).not.toContain('cfb_')
    const third = await bridge('feed', 'create', '--from', file, '--rotate-existing')
    expect(third.errors).toBe('2 rows: 0 created, 2 rotated, 0 skipped.\n')
    const addresses = [first, third].flatMap(({ output }) => output.match(/cfb_[\w-]{43}/g) ?? [])
    expect(new Set(addresses).size).toBe(4)
  })

  test('as JSON it shows new and rotated addresses', async () => {
    const file = await table('json.csv', 'userId,name\nusr_ada,Json\nusr_bob,Json\n')
    for (const [words, status] of [
      [[], 'created'],
      [['--rotate-existing'], 'rotated'],
    ] as const) {
      const { output } = await bridge('feed', 'create', '--from', file, '--json', ...words)
      const url = expect.stringContaining('/feeds/cfb_')
      const { data } = outputSchemas.CreatedFeeds.parse(JSON.parse(output))
      expect(data).toHaveLength(2)
      for (const row of data) {
        expect(row.status).toBe(status)
        expect(row.links).toContainEqual(expect.objectContaining({ label: 'default', url }))
      }
    }
  })

  test('a row that fails says why, and the others go on', async () => {
    const file = await table('full.csv', 'userId,name\nusr_ada,Full\nusr_bob,Full\n')
    const made = await bridge('feed', 'create', '--from', file)
    const id = readCsv(made.output)[0]?.cells['feedId'] ?? ''
    const node = await startBridge({ environment })
    for (let number = 1; number < 500; number += 1) {
      await node.app.services.administration.feedLinks.create(id, { label: `${number}` })
    }
    await node.close()
    const again = await bridge('feed', 'create', '--from', file, '--rotate-existing')
    expect([again.code, again.errors]).toEqual([
      1,
      '2 rows: 0 created, 1 rotated, 0 skipped, 1 failed.\n',
    ])
    const rows = readCsv(again.output).map(({ cells }) => [cells['status'], cells['reason']])
    expect(rows).toEqual([
      ['failed', expect.stringContaining('500 links')],
      ['rotated', ''],
    ])
  })

  test('no row is said to be none', async () => {
    const file = await table('empty.csv', 'userId,name\n')
    const { code, errors } = await bridge('feed', 'create', '--from', file)
    expect([code, errors]).toEqual([1, 'The table holds no row below its first line.\n'])
  })

  test('an address for the mail merge comes with the e-mail that the Read API knows', async () => {
    company.records.users = [
      ...company.records.users,
      { id: 'usr_eve', firstName: 'Eve', lastName: '', email: 'eve@example.com' },
    ]
    const file = await table('eve.csv', 'userId\nusr_eve\n')
    const { output } = await bridge('feed', 'create', '--from', file)
    expect(readCsv(output)[0]?.cells).toMatchObject({
      userId: 'usr_eve',
      name: "Eve's work calendar",
      email: 'eve@example.com',
      status: 'created',
    })
    const { data } = JSON.parse((await bridge('feed', 'create', '--from', file, '--json')).output)
    outputSchemas.CreatedFeeds.parse({ data })
    expect(data).toMatchObject([{ status: 'skipped', email: 'eve@example.com' }])
  })

  test('checks all rows before the first feed is made', async () => {
    const before = await json('feed', 'list')
    const file = await table('wrong.csv', 'userId,options\nusr_ada,\nusr_x,\nusr_bob,{]\n,x\n')
    const { code, output, errors } = await bridge('feed', 'create', '--from', file)
    expect([code, output]).toEqual([1, ''])
    expect(
      errors
        .trim()
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual(['Line 3, userId', 'Line 4, options', 'Line 5, userId', 'Line 5, options'])
    expect(await json('feed', 'list')).toEqual(before)
  })

  test('a second run while the Read API is down makes nothing twice', async () => {
    const file = await table('down.csv', 'userId\nusr_bob\n')
    await bridge('feed', 'create', '--from', file)
    company.faults.set('/users/', 403)
    const { errors } = await bridge('feed', 'create', '--from', file)
    company.faults.clear()
    expect(errors).toContain('1 rows: 0 created, 0 rotated, 1 skipped.')
  })
})

describe('feed candidates', () => {
  test('writes the people that can be seen as a table for feed create --from', async () => {
    const { code, output } = await bridge('feed', 'candidates')
    expect([code, output]).toEqual([
      0,
      'userId,name,email\r\nusr_ada,Ada Lovelace,\r\nusr_bob,Bob Noyce,\r\n',
    ])
    const file = await table('candidates.csv', output)
    expect((await bridge('feed', 'create', '--from', file)).code).toBe(0)
    expect(await json('feed', 'candidates', '--company', 'main')).toEqual({
      data: [
        { userId: 'usr_ada', name: 'Ada Lovelace', email: '' },
        { userId: 'usr_bob', name: 'Bob Noyce', email: '' },
      ],
    })
  })

  test('leaves out who has left', async () => {
    const [ada, bob, ...others] = company.records.users
    company.records.users = [ada!, { ...bob!, isActive: false }, ...others]
    const { data } = await json('feed', 'candidates')
    company.records.users = [ada!, bob!, ...others]
    expect(data.map(({ userId }) => userId)).toEqual(['usr_ada'])
  })

  test('says what is wrong in one sentence', async () => {
    expect((await bridge('feed', 'candidates', '--company', 'else')).code).toBe(2)
    company.faults.set('/timesheets', 403)
    const { code, errors } = await bridge('feed', 'candidates')
    company.faults.clear()
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
  })
})

describe('feed list, show and update', () => {
  test('a company that is not there is said', async () => {
    const { code, errors } = await bridge('feed', 'list', '--company', 'nope')
    expect([code, errors]).toEqual([1, 'There is no company "nope".\n'])
  })

  test('a list is a table for people and a page for programs', async () => {
    const { id } = await create('Listed')
    const { code, output } = await bridge('feed', 'list', '--user', 'usr_ada', '--company', 'main')
    expect(code).toBe(0)
    expect(output).toMatch(/^ID +NAME +PEOPLE +LAST ASKED \(UTC\) +BY +STATE\n/)
    expect(output).toMatch(new RegExp(`^${id} +Listed +usr_ada +– +– +open$`, 'm'))
    outputSchemas.FeedPage.parse(await json('feed', 'list'))
    expect((await bridge('feed', 'list', '--user', 'usr_zoe')).output).toBe(
      'There is no such feed.\n',
    )
  })

  test('one feed is shown with its links', async () => {
    const feed = await create('Shown')
    const { output } = await bridge('feed', 'show', feed.id)
    expect(output).toContain('LINK')
    expect(output).toContain('No program has asked for it yet.')
    expect(output).not.toContain('cfb_')
    outputSchemas.FeedDetails.parse(await json('feed', 'show', feed.id))
  })

  test('a change keeps the rest', async () => {
    const { id, options } = await create('Before')
    const words = ['--name', 'After', '--timezone', 'Asia/Tokyo', '--locale', 'de']
    const changed = await json(
      'feed',
      'update',
      id,
      ...words,
      '--options',
      '{"reminderMinutes":10}',
    )
    expect(changed).toMatchObject({ name: 'After', timezone: 'Asia/Tokyo', locale: 'de' })
    expect(changed.options).toEqual({ ...options, reminderMinutes: 10 })
    expect((await bridge('feed', 'update', id, '--name', 'Last')).output).toBe(
      `${id}  Last: changed.\n`,
    )
    const { id: team } = await json('feed', 'create', '--user', 'usr_ada', '--user', 'usr_bob')
    expect((await json('feed', 'update', team, '--user', 'usr_bob')).userIds).toEqual(['usr_bob'])
  })

  test('what cannot be done is said', async () => {
    const { id } = await create('Refused')
    expect((await bridge('feed', 'show')).code).toBe(2)
    expect(await bridge('feed', 'show', 'feed_0')).toEqual({
      code: 1,
      output: '',
      errors: 'There is no feed feed_0.\n',
    })
    expect((await bridge('feed', 'update', id)).code).toBe(2)
    expect((await bridge('feed', 'update', id, '--timezone', 'Mars')).code).toBe(2)
    expect((await bridge('feed', 'update', 'feed_0', '--name', 'x')).code).toBe(1)
  })
})

describe('feed rotate and revoke', () => {
  test('a rotation prints the new address and when the old one ends', async () => {
    const { id } = await create('Rotated')
    const now = await bridge('feed', 'rotate', id)
    expect(now.output).toMatch(/^http:\/\/127\.0\.0\.1:8080\/feeds\/cfb_[\w-]{43}\/rotated\.ics\n$/)
    expect(now.errors).toBe('The old address has ended.\n')
    const later = await bridge('feed', 'rotate', id, '--label', 'default', '--grace-days', '7')
    expect(later.errors).toMatch(/^The old address goes on for 7 days/)
    outputSchemas.Link.parse(await json('feed', 'rotate', id))
    expect((await bridge('feed', 'rotate', id, '--label', 'phone')).code).toBe(1)
    expect((await bridge('feed', 'rotate', id, '--grace-days', 'many')).code).toBe(2)
    expect((await bridge('feed', 'rotate', 'feed_0')).code).toBe(1)
  })

  test('an address says which feed and which link is meant', async () => {
    const { id } = await create('Leaked')
    const old = (await bridge('feed', 'rotate', id)).output.trim()
    expect((await json('feed', 'show', old)).id).toBe(id)
    const address = (await bridge('feed', 'rotate', old)).output.trim()
    expect(address).toContain('/leaked.ics')
    const unknown = `http://x/feeds/cfb_${'A'.repeat(43)}/x.ics`
    expect((await bridge('feed', 'show', unknown)).errors).toBe(
      'There is no feed with this address.\n',
    )
    expect((await json('feed', 'revoke', address)).revokedAt).not.toBeNull()
  })

  test('a feed ends, or one of its links', async () => {
    const { id } = await create('Revoked')
    expect((await bridge('feed', 'revoke', id, '--label', 'phone')).code).toBe(1)
    expect((await bridge('feed', 'revoke', id, '--label', 'default')).output).toBe(
      'The link "default" has ended.\n',
    )
    expect((await bridge('feed', 'revoke', id, '--purge')).output).toBe(
      'The feed has ended; for 30 days its calendar says so.\n',
    )
    expect((await json('feed', 'revoke', id)).revokedAt).not.toBeNull()
    expect((await bridge('feed', 'revoke', 'feed_0')).code).toBe(1)
    expect((await bridge('feed', 'rotate', id)).code).toBe(1)
  })
})

describe('workforce', () => {
  test('sample, the same for the same seed, fits import', async () => {
    const file = path.join(folder, 'company.json')
    const words = ['workforce', 'sample', '--users', '12', '--seed', '7']
    const written = await bridge(...words, '--output', file)
    expect(written.output).toMatch(/company\.json: 12 users, /)
    expect((await bridge(...words)).output).toBe(await readFile(file, 'utf8'))
    expect((await bridge('workforce', 'sample', '--users', '12', '--seed', '8')).output).not.toBe(
      await readFile(file, 'utf8'),
    )
    expect(await json('workforce', 'import', file)).toMatchObject({ users: 12 })
    const database = `file:${folder}/elsewhere.sqlite`
    expect((await bridge('workforce', 'import', file, '--database', database)).output).toMatch(
      /^Loaded 12 users, /,
    )
  })

  test('what cannot be imported is said', async () => {
    const wrong = await table('wrong.json', '{"users": [{"id": 7}]}')
    expect((await bridge('workforce', 'import', wrong)).code).not.toBe(0)
    const { code, errors } = await bridge('workforce', 'import', await table('no.json', '{'))
    expect([code, errors]).toEqual([1, expect.stringContaining('is not JSON')])
    expect((await bridge('workforce', 'import', '/nowhere.json')).code).toBe(1)
    expect((await bridge('workforce', 'import')).code).toBe(2)
    expect((await bridge('workforce', 'sample', '--users', 'many')).code).toBe(2)
  })
})

test('help shows an example of each command', async () => {
  const commands = [
    ['serve'],
    ['export'],
    ['doctor'],
    ['erase'],
    ...['create', 'candidates', 'list', 'show', 'update', 'rotate', 'revoke'].map((it) => [
      'feed',
      it,
    ]),
    ...['serve', 'import', 'sample'].map((it) => ['workforce', it]),
  ]
  for (const command of commands) {
    const { code, output } = await bridge(...command, '--help')
    expect(code).toBe(0)
    expect(output).toMatch(new RegExp(`Examples?:\n.*bridge ${command.join(' ')}`))
    expect(output).toMatch(/--(json|output)/)
  }
  expect((await bridge('nonsense')).code).toBe(2)
})

test('ten thousand rows become ten thousand feeds, with progress', async () => {
  const people = Array.from({ length: 10_000 }, (_, index) => ({
    id: `usr_${index}`,
    firstName: `Person ${index}`,
  }))
  const many = await startCompanyServer()
  many.records.users = people
  const file = await table('many.csv', `userId\n${people.map(({ id }) => id).join('\n')}\n`)
  const database = {
    ...environment,
    ...readsFrom(many.url),
    DATABASE_URL: `file:${folder}/many.sqlite`,
  }
  const { code, output, errors } = await runCommand(database, 'feed', 'create', '--from', file)
  expect(code).toBe(0)
  const rows = readCsv(output).map(({ cells }) => cells)
  expect(new Set(rows.map((row) => row['url'])).size).toBe(10_000)
  expect(rows.map((row) => row['userId'])).toEqual(people.map(({ id }) => id))
  expect(errors).toMatch(/^Checked \d+ of 10000$/m)
  expect(errors).toMatch(/^Made 10000 of 10000$/m)
  expect(errors).toMatch(/10000 rows: 10000 created, 0 rotated, 0 skipped\.\n$/)
  const running = await startBridge({ environment: database })
  expect((await fetch(running.url + new URL(rows[9999]?.['url'] ?? '').pathname)).status).toBe(200)
  await running.close()
  await many.close()
})
