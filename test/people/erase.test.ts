/* After `erase` nothing that is kept names the person; what is outside is said. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge.ts'
import { type CommandResult, runCommand } from '../support/command-line.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { databases } from '../support/databases.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { leave, twoPeople } from '../support/people.ts'
import { readCalendar, titlesOf } from '../support/read-calendar.ts'
import { everythingIn } from '../support/search-database.ts'

/** Of Ada: her id, her name, her records, the reason of her leave. */
const traces = /usr_ada|Lovelace|lv_ada|clqada|Eye operation|Ada's/

describe.each(databases)('erase, on $name', ({ create }) => {
  let company: CompanyServer
  let environment: Record<string, string>
  let bridge: TestBridge
  let clock: FakeClock
  let own: FeedAnswer
  let team: FeedAnswer

  beforeEach(async () => {
    company = await startCompanyServer()
    Object.assign(company.records, twoPeople())
    company.records.leaves['usr_ada'] = [
      leave('lv_ada1', '2026-01-12', { reason: 'Eye operation' }),
    ]
    company.records.leaves['usr_bob'] = [leave('lv_bob1', '2026-01-13')]
    environment = {
      ...readsFrom(company.url),
      DATABASE_URL: await create(),
      ADMIN_TOKEN: 'an-admin-token-for-tests',
      WORKFORCE_PROJECTS: 'prj_web',
    }
    clock = createFakeClock()
    bridge = await startBridge({ clock, environment })
    own = await bridge.createFeed({ userIds: ['usr_ada'], options: { leaves: { detail: 'full' } } })
    team = await bridge.createFeed({ userIds: ['usr_ada', 'usr_bob'], name: 'Team' })
    await fetch(calendarUrl(own), { headers: { 'User-Agent': 'Google-Calendar-Importer' } })
    await fetch(calendarUrl(team))
    await bridge.api('GET', '/api/companies/main/examination')
    await clock.advance(2000)
    const { store } = await bridge.node()
    await expect.poll(() => store.activity.listActivity([own.id, team.id])).toHaveLength(2)
  })

  afterEach(async () => {
    await bridge.close()
    await company.close()
  })

  function erase(...words: string[]): Promise<CommandResult> {
    return runCommand(environment, 'erase', '--user', ...words)
  }

  function found(): Promise<string[]> {
    const database = environment['DATABASE_URL'] ?? ''
    return everythingIn(database).then((text) => text.match(new RegExp(traces, 'g')) ?? [])
  }

  test('leaves no trace in the database, its files and log included, while the bridge runs', async () => {
    expect(new Set(await found()).size).toBeGreaterThan(4)
    const { code, errors } = await erase('usr_ada')
    expect([code, errors]).toEqual([0, ''])
    expect(await found()).toEqual([])
  })

  test('her calendar is gone, the others’ goes on without her', async () => {
    await erase('usr_ada')
    expect((await fetch(calendarUrl(own))).status).toBe(404)
    expect(titlesOf(await (await fetch(calendarUrl(team))).text())).toEqual(['Bob Noyce: Away'])
  })

  test('says what was removed and what calendars outside still hold', async () => {
    const { output } = await erase('usr_ada')
    expect(output).toContain('feeds with their links: 1, copies of records: 4.')
    expect(output).toContain(`Goes on without usr_ada: ${team.id}, "Team"`)
    expect(output).toMatch(
      new RegExp(`Still holds what it fetched: google, by the link "default" of ${own.id}`),
    )
    expect(output).toContain('until the subscription is removed')
  })

  test('says the same as JSON, and finds nothing the second time', async () => {
    const first = JSON.parse((await erase('usr_ada', '--json')).output) as Record<string, unknown>
    expect(first).toMatchObject({
      userId: 'usr_ada',
      removedFeeds: [own.id],
      changedFeeds: [{ id: team.id, name: 'Team' }],
      copies: 4,
    })
    expect(first['heldBy']).toContainEqual({
      feedId: own.id,
      label: 'default',
      client: 'google',
      lastPolledAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const second = JSON.parse((await erase('usr_ada', '--json')).output) as Record<string, unknown>
    expect(second).toMatchObject({ removedFeeds: [], changedFeeds: [], copies: 0, heldBy: [] })
  })

  test('takes nothing from others but her name beside theirs', async () => {
    const bobs = calendarUrl(await bridge.createFeed({ userIds: ['usr_bob'] }))
    const before = await (await fetch(bobs)).text()
    expect(before).toContain('Assigned to: Ada Lovelace\\, Bob Noyce')
    await erase('usr_ada')
    const after = await (await fetch(bobs)).text()
    expect(after).not.toContain('Lovelace')
    expect([...readCalendar(after).keys()]).toEqual([...readCalendar(before).keys()])
  })

  test('nothing comes back of what was being read of her meanwhile, and its poll is answered 404', async () => {
    await clock.advance(13 * 3_600_000)
    company.requests.length = 0
    company.hold()
    const polls = [fetch(calendarUrl(own)), fetch(calendarUrl(team))]
    while (!company.requests.some((request) => request.includes('/leaves?userId=usr_ada'))) {
      await new Promise(setImmediate)
    }
    expect((await erase('usr_ada')).code).toBe(0)
    company.records.leaves['usr_ada']!.push(leave('lv_ada3', '2026-03-12'))
    company.records.tasks = { prj_web: [] }
    company.release()
    const [ofHers] = await Promise.all(polls)
    expect(ofHers?.status).toBe(404)
    expect((await fetch(calendarUrl(team))).status).toBe(200)
    expect(await found()).toEqual([])
  })

  test('what a filter’s examination found of others stays, though her id has signs of patterns in it', async () => {
    await bridge.api('GET', '/api/companies/main/examination')
    const { store, connections } = await bridge.node()
    const { id } = connections.get('main')!
    expect(await store.examinations.findExamination(id)).toBeDefined()
    await erase('%')
    await erase('usr_ad_')
    expect(await store.examinations.findExamination(id)).toBeDefined()
  })

  test('a leave that was claimed for her too is nobody’s dispute any longer', async () => {
    const { store, connections } = await bridge.node()
    const { id } = connections.get('main')!
    await store.proofs.claimLeaves(id, 'usr_ada', ['lv_bob1'])
    expect(await store.proofs.listContested(id)).toHaveLength(1)
    await erase('usr_ada')
    expect(await store.proofs.listContested(id)).toEqual([])
  })
})

test.each([[[]], [['--user', '']]])('erase %j without a user is wrong usage', async (words) => {
  const { code, errors } = await runCommand({}, 'erase', ...words)
  expect([code, errors]).toEqual([2, expect.stringContaining('--user')])
})

test('erase while the database cannot be reached says so and removes nothing', async () => {
  const { code, errors } = await runCommand(
    { DATABASE_URL: 'postgres://bridge:hidden@127.0.0.1:1/bridge', ADMIN_TOKEN: 'x'.repeat(20) },
    'erase',
    '--user',
    'usr_ada',
  )
  expect(code).toBe(1)
  expect(errors).not.toContain('hidden')
})
