/* After `erase` nothing that is kept names the person; what is outside is said. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { describe, expect, inject } from 'vitest'

import type { LeaveClaim } from '../../src/domain/leave.ts'
import { calendarUrl, type FeedAnswer } from '../support/bridge/bridge.ts'
import { type CommandResult, runCommand } from '../support/bridge/command-line.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { everythingIn } from '../support/bridge/search-database.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { ada, bob, leave } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'

/** Of Ada: her id, her name, her records, the reason of her leave. */
const traces = /usr_ada|Lovelace|lv_ada|clqada|Eye operation|Ada's|ada@/g

/** A feed of Ada alone and one of a team. */
interface PolledFeeds {
  readonly own: FeedAnswer
  readonly team: FeedAnswer
}

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    leaves: {
      usr_ada: [leave('lv_ada1', '2026-01-12', { reason: 'Eye operation' })],
      usr_bob: [leave('lv_bob1', '2026-01-13')],
    },
  }))
  /** Both have been polled, and an examination has been made: something of Ada stands wherever it can. */
  .extend('feeds', async ({ clock, bridge, node }): Promise<PolledFeeds> => {
    const options = { leaves: { detail: 'full' } }
    const own = await bridge.createFeed({ userIds: ['usr_ada'], options })
    const team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'], name: 'Team' })
    await pollNow(calendarUrl(own), { 'User-Agent': 'Google-Calendar-Importer' })
    await pollNow(calendarUrl(team))
    await bridge.api('GET', '/api/companies/main/examination')
    await clock.advance(2000)
    await expect.poll(() => node.store.activity.listActivity([own.id, team.id])).toHaveLength(2)
    return { own, team }
  })
  .extend('erase', ({ environment }) => (...words: string[]): Promise<CommandResult> => {
    return runCommand(environment, 'erase', '--user', ...words)
  })
  .extend('found', ({ databaseUrl }) => async (): Promise<readonly string[]> => {
    return (await everythingIn(databaseUrl)).match(traces) ?? []
  })

describe.each(anyDatabase())('erase, on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('leaves no trace in the database, its files and the log while the bridge runs', async ({
    feeds: _,
    erase,
    found,
  }) => {
    expect(new Set(await found()).size).toBeGreaterThan(4)
    const { code, errors } = await erase('usr_ada')
    expect([code, errors]).toEqual([0, ''])
    expect(await found()).toEqual([])
  })

  it('removes her own calendar and keeps the calendar of the others without her', async ({
    feeds,
    erase,
  }) => {
    await erase('usr_ada')
    expect((await pollNow(calendarUrl(feeds.own))).status).toBe(404)
    expect((await pollNow(calendarUrl(feeds.team))).titles).toEqual(['Bob Noyce: Away'])
  })

  it('reports what was removed and what outside calendars still contain', async ({
    feeds,
    erase,
  }) => {
    const { output } = await erase('usr_ada')
    expect(output).toContain('feeds with their links: 1, copies of records: 4.')
    expect(output).toContain(`Goes on without usr_ada: ${feeds.team.id}, "Team"`)
    expect(output).toContain(
      `Still holds what it fetched: google, by the link "default" of ${feeds.own.id}`,
    )
    expect(output).toContain('until the subscription is removed')
  })

  it('--dry-run reports the same and removes nothing', async ({ feeds, erase, found }) => {
    const before = (await found()).length
    const { output } = await erase('usr_ada', '--dry-run')
    expect(output).toContain('feeds with their links: 1, copies of records: 4.')
    expect(output).toContain(`Would go on without usr_ada: ${feeds.team.id}, "Team"`)
    expect((await found()).length).toBe(before)
    expect((await pollNow(calendarUrl(feeds.own))).status).toBe(200)
  })

  it('reports the same as JSON and finds nothing the second time', async ({ feeds, erase }) => {
    const first = JSON.parse((await erase('usr_ada', '--json')).output) as Record<string, unknown>
    expect(first).toMatchObject({
      userId: 'usr_ada',
      removedFeeds: [feeds.own.id],
      changedFeeds: [{ id: feeds.team.id, name: 'Team' }],
      copies: 4,
    })
    expect(first['heldBy']).toContainEqual({
      feedId: feeds.own.id,
      label: 'default',
      client: 'google',
      lastPolledAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const second = JSON.parse((await erase('usr_ada', '--json')).output) as Record<string, unknown>
    expect(second).toMatchObject({ removedFeeds: [], changedFeeds: [], copies: 0, heldBy: [] })
  })

  it('takes nothing from others except her name beside theirs', async ({
    feeds: _,
    feedOf,
    erase,
  }) => {
    const bobs = await feedOf('usr_bob')
    const before = await pollNow(bobs)
    expect(before.text).toContain('Assigned to: Ada Lovelace\\, Bob Noyce')
    await erase('usr_ada')
    const after = await pollNow(bobs)
    expect(after.text).not.toContain('Lovelace')
    expect([...readCalendar(after.text).keys()]).toEqual([...readCalendar(before.text).keys()])
  })

  it.for([
    ['leaves', 1, '/leaves?userId=usr_ada'],
    ['name', 13, '/users/usr_ada'],
  ] as const)(
    'her %s that were being read meanwhile do not return, and the poll answers 404',
    async ([, hours, asked], { company, clock, feeds, erase, found }) => {
      await clock.advance(hours * 3_600_000)
      company.requests.length = 0
      company.hold()
      const polls = [pollNow(calendarUrl(feeds.own)), pollNow(calendarUrl(feeds.team))]
      await expect
        .poll(() => company.requests, { interval: 5 })
        .toContainEqual(expect.stringContaining(asked))
      expect((await erase('usr_ada')).code).toBe(0)
      company.records.leaves['usr_ada']!.push(leave('lv_ada3', '2026-03-12'))
      company.records.tasks = { prj_web: [] }
      company.release()
      const [ofHers] = await Promise.all(polls)
      expect(ofHers?.status).toBe(404)
      expect((await pollNow(calendarUrl(feeds.team))).status).toBe(200)
      expect(await found()).toEqual([])
    },
  )

  it('an erased person named in timesheets and tasks stays unseen until a new calendar is made', async ({
    bridge,
    clock,
    company,
    node: { directory, connections },
    erase,
  }) => {
    company.records.users = [ada, { ...bob, assignedManagerId: ada.id }]
    const look = async (): Promise<readonly string[]> => {
      await clock.advance(2 * 86_400_000)
      const people = await directory.listRefreshed(connections.get('main')!, () => undefined)
      return people.flatMap(({ userId, managerId }) => [userId, managerId ?? 'nobody'])
    }
    expect(await look()).toEqual(['usr_ada', 'nobody', 'usr_bob', 'usr_ada'])
    await erase('usr_ada')
    expect(await look()).toEqual(['usr_bob', 'nobody'])
    await bridge.createFeed({ userIds: ['usr_ada'] })
    expect(await look()).toEqual(['usr_ada', 'nobody', 'usr_bob', 'usr_ada'])
  })

  it('an id with pattern characters removes no results of a filter examination of others', async ({
    node: { store, connections },
    feeds: _,
    erase,
  }) => {
    const { id } = connections.get('main')!
    expect(await store.examinations.findExamination(id)).toBeDefined()
    await erase('%')
    await erase('usr_ad_')
    expect(await store.examinations.findExamination(id)).toBeDefined()
  })

  it('a leave also returned for an erased person is no longer disputed and keeps its owner', async ({
    node: { store, connections },
    clock,
    feeds: _,
    erase,
  }) => {
    const { id } = connections.get('main')!
    const claims = (): Promise<readonly LeaveClaim[]> => store.proofs.findClaims(id, ['lv_bob1'])
    const before = await claims()
    expect(before).toMatchObject([{ userId: 'usr_bob', isOwner: true }])
    await store.proofs.noteReading(id, {
      companyId: 'main',
      userId: 'usr_ada',
      present: ['lv_bob1'],
      absent: [],
      now: clock.now(),
      mayOwn: true,
      isGone: false,
      onlyInFeed: true,
    })
    expect(await store.proofs.listDisputed(id, 9)).toHaveLength(2)
    await erase('usr_ada')
    expect(await store.proofs.listDisputed(id, 9)).toEqual([])
    expect(await claims()).toEqual(before)
  })
})

describe.each(anyDatabase())('an id that two companies know, on $name', ({ createMigrated }) => {
  it('is erased in the named company only, and in neither if no company is named', async ({
    company,
    environment,
  }) => {
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'erase-'))
    const companies = ['north', 'south'].map((id) => ({
      id,
      baseUrl: company.url,
      timezone: 'Europe/Berlin',
      projects: ['prj_web'],
    }))
    await writeFile(path.join(folder, 'companies.json'), JSON.stringify(companies))
    const { FEED_FRESH_SECONDS, ADMIN_TOKEN } = environment
    const both = {
      FEED_FRESH_SECONDS,
      ADMIN_TOKEN,
      DATABASE_URL: await createMigrated(),
      COMPANIES_FILE: path.join(folder, 'companies.json'),
    }
    const run = (...words: string[]): Promise<CommandResult> => runCommand(both, ...words)
    for (const { id } of companies) {
      await run('feed', 'create', '--user', 'usr_ada', '--company', id)
    }
    const feeds = async (id: string): Promise<number> =>
      (await run('feed', 'list', '--company', id)).output.match(/^feed_/gm)?.length ?? 0
    const unclear = await run('erase', '--user', 'usr_ada')
    expect([unclear.code, unclear.output, unclear.errors]).toEqual([
      2,
      '',
      '--company: Must be one of north, south, since each of them knows "usr_ada".\n',
    ])
    const dry = await run('erase', '--user', 'usr_ada', '--company', 'north', '--dry-run')
    expect(dry.output).toContain('Would remove of usr_ada in north: feeds with their links: 1,')
    expect([await feeds('north'), await feeds('south')]).toEqual([1, 1])
    const done = await run('erase', '--user', 'usr_ada', '--company', 'north')
    expect(done.output).toContain('Removed of usr_ada in north: feeds with their links: 1,')
    expect([await feeds('north'), await feeds('south')]).toEqual([0, 1])
    expect((await run('erase', '--user', 'usr_ada')).code).toBe(2)
    expect((await run('erase', '--user', 'usr_ada', '--company', 'west')).errors).toBe(
      '--company: There is no company "west"; there are north, south.\n',
    )
    for (const dryRun of [[], ['--dry-run']]) {
      const nobody = await run('erase', '--user', 'usr_zoe', '--company', 'north', ...dryRun)
      expect([nobody.code, nobody.output, nobody.errors]).toEqual([
        1,
        '',
        'Nothing is kept about usr_zoe in north: is the id right?\n',
      ])
    }
    expect((await run('erase', '--user', 'usr_zoe')).errors).toBe('No company knows "usr_zoe".\n')
  })
})

it.each([[[]], [['--user', '']]])('erase %j without a user is a usage error', async (words) => {
  const { code, errors } = await runCommand({}, 'erase', ...words)
  expect([code, errors]).toEqual([2, expect.stringContaining('--user')])
})

it('erase without a reachable database reports this and removes nothing', async () => {
  const { code, errors } = await runCommand(
    { DATABASE_URL: 'postgres://bridge:hidden@127.0.0.1:1/bridge', ADMIN_TOKEN: 'x'.repeat(20) },
    'erase',
    '--user',
    'usr_ada',
  )
  expect(code).toBe(1)
  expect(errors).not.toContain('hidden')
})
