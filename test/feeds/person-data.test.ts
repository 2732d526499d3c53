/*
 * Kim's export has everything kept about Kim and nothing about Lou: every text of theirs, in every table, ends in their name. A
 * new table has to be filled here, or listed among those with nothing to read.
 */
import { describe, expect } from 'vitest'

import { findingOf } from '../../src/domain/examination.ts'
import type { CollectionKind, RecordOf } from '../../src/domain/kinds.ts'
import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import type { Store } from '../../src/store/open-store.ts'
import { adasFeed, departureOf, linkTo, readingOf } from '../store/fixtures.ts'
import { runCommand } from '../support/bridge/command-line.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { everyRow } from '../support/bridge/search-database.ts'
import { anyDatabase } from '../support/database/databases.ts'

/** Tables that tell nothing about anybody: hashes, counts and times. */
const wordless = [
  'activity',
  'bridge_migrations',
  'creations',
  'erased_people',
  'ledgers',
  'look_rounds',
  'proofs',
  'tokens',
  'trusted_credentials',
]
const companyId = 'main'
const at = Date.UTC(2026, 0, 5, 8)
const secret = new Uint8Array(32).fill(171)

/** Writes everything that can be kept about one of them. */
async function keepAll(store: Store, connectionId: string, who: 'kim' | 'lou'): Promise<void> {
  const of = (word: string): string => `${word}_${who}`
  const userId = of('usr')
  const person = { companyId, userId }
  const options = { invoices: { invoiceIds: [of('invoice')] } }
  const names = { name: of('feedname'), namedAfter: of('after'), ownOptions: options }
  const shownCollections = [`tasks:${of('project')}`]
  const feed = adasFeed({ companyId, userIds: [userId], ...names, shownCollections })
  const tokenHash = who === 'kim' ? secret : linkTo(feed).tokenHash
  const link = linkTo(feed, { label: of('label'), tokenHash })
  const creation = { requestHash: 'hash', createdAt: 9e14, feedIds: [feed.id] }
  await store.feeds.createFeeds([{ feed, link }], { ...creation, keyHash: feed.id.slice(5) })
  await store.ledgers.saveLedger(link, { version: 0, entries: new Map() })
  const polls = { client: 'google', polls: 3, lastStatus: 200, hasChangeOf: null } as const
  const times = { firstPolledAt: at, lastPolledAt: at + 1000 }
  await store.activity.addActivity([{ tokenHash, ...polls, ...times }])

  const user = { id: userId, firstName: of('first'), lastName: of('last'), isActive: true }
  const known = { name: of('knownname'), mail: of('knownmail') }
  const assignedManagerId = who === 'kim' ? of('manager') : 'usr_kim'
  const record = { ...user, email: `${of('mail')}@example.com`, assignedManagerId }
  await store.people.seePeople(companyId, [user], at)
  const reading = { userId, state: 'active', user: record, known, readAt: at } as const
  await store.people.keepReading(companyId, reading, at)
  await store.departures.keepDeparture(departureOf(companyId, userId))
  await store.newcomers.addNewcomer({ ...person, since: at, readAt: at, confirmedAt: null })
  await store.lostLinks.takeTurn(person, { now: at, since: at, most: 9 })
  for (const staff of [
    null,
    { actor: `staff:${of('mail')}@example.com`, role: 'support' },
  ] as const) {
    const cookieHash = linkTo(feed).tokenHash
    const session = { cookieHash, createdAt: at, endsAt: at + 9e9, staff }
    await store.sessions.createSession({ ...session, person: staff ? null : person })
  }

  const leave = { id: of('leave'), startDate: at, endDate: at, status: of('status') }
  const own = { ...leave, reason: of('reason'), leaveType: { name: of('type') } }
  const others = { ...leave, id: 'leave_lou', reason: 'reason_lou', status: 'status_lou' }
  const timesheet = {
    id: of('sheet'),
    userId,
    periodStart: at,
    periodEnd: at,
    status: of('status'),
  }
  await keep(store, connectionId, `leaves:${userId}`, who === 'kim' ? [own, others] : [own])
  await keep(store, connectionId, `timesheets:${userId}`, [timesheet])
  await keep(store, connectionId, `user:${userId}`, [user])
  const both = [
    { id: 'usr_lou', firstName: 'first_lou' },
    { id: 'usr_kim', firstName: 'first_kim' },
  ]
  const task = { id: of('task'), title: of('title'), description: of('text'), assignees: [user] }
  const shared = {
    id: who === 'kim' ? 'together_1' : 'together_2',
    title: 'Together',
    assignees: both,
  }
  await keep(store, connectionId, `tasks:${of('project')}`, [task, shared])

  const label = of('auditlabel')
  const event = { at, actor: `person:${userId}`, action: 'link_created' } as const
  await store.audit.addEntry(event, {
    companyId,
    feedId: of('auditfeed'),
    userIds: [userId],
    label,
  })
}

async function keep(
  store: Store,
  connectionId: string,
  key: string,
  records: readonly RecordOf[CollectionKind][],
): Promise<void> {
  const head = { key, contentHash: `hash of ${key}`, begunAt: at, fetchedAt: at, reach: null }
  await store.copies.keepCopy(connectionId, { ...head, missingSince: null, records })
}

/** What is kept about both at once. */
async function keepShared(store: Store, connectionId: string): Promise<void> {
  const userIds = ['usr_kim', 'usr_lou']
  const names = { name: 'Team', namedAfter: null }
  const shownCollections = userIds.map((id) => `leaves:${id}`)
  const team = adasFeed({ companyId, userIds, audience: 'others', ...names, shownCollections })
  await store.feeds.createFeed(team, linkTo(team, { label: 'boss_lou' }))
  const ofLou = adasFeed({
    companyId,
    userIds: ['usr_kim'],
    team: { managerId: 'usr_lou', depth: 'direct' },
    audience: 'others',
    name: 'Only one reports',
    namedAfter: null,
  })
  await store.feeds.createFeed(ofLou, linkTo(ofLou, { label: 'phone_lou' }))
  const onPhone = { companyId, feedId: ofLou.id, label: 'phone_lou', userIds: ['usr_kim'] }
  await store.audit.addEntry({ at, actor: 'admin', action: 'link_created' }, onPhone)
  const before = adasFeed({
    companyId,
    userIds: ['usr_kim'],
    name: 'Lou had this id',
    namedAfter: 'Lou',
    closedAt: at,
    closedBecause: 'another_person',
  })
  await store.feeds.createFeed(before, linkTo(before, { label: 'old_lou' }))
  const ofBefore = { companyId, feedId: before.id, label: 'old_lou', userIds: ['usr_kim'] }
  await store.audit.addEntry({ at, actor: 'person:usr_kim', action: 'link_created' }, ofBefore)
  for (const [userId, present] of [
    ['usr_lou', ['leave_lou']],
    ['usr_kim', ['leave_kim', 'leave_lou']],
  ] as const) {
    await store.proofs.noteReading(connectionId, readingOf(userId, { present }))
  }
  const event = { at, actor: 'person:usr_lou', action: 'feed_changed' } as const
  const told = { companyId, feedId: team.id, label: 'auditlabel_lou' }
  await store.audit.addEntry(event, { ...told, userIds })
  const byKim = { ...event, actor: 'person:usr_kim' }
  await store.audit.addEntry(byKim, { ...told, userIds: ['usr_lou'] })
  const seen = { means: '', set: null, level: 'note', seen: 'usr_kim and usr_lou' } as const
  const findings = [
    findingOf({ check: 'people', ...seen }),
    findingOf({ ...seen, check: 'check_lou', seen: 'usr_lou' }),
  ]
  const examination = { companyId, ok: true, findings }
  await store.examinations.keepExamination(connectionId, { examination, examinedAt: at })
}

const it = base.extend('kept', async ({ node: { store, connections } }) => {
  const { id } = connections.get(companyId)!
  await keepAll(store, id, 'kim')
  await keepAll(store, id, 'lou')
  await keepShared(store, id)
  return store
})

const address = '/api/companies/main/people/usr_kim/data'

describe.each(anyDatabase())('an export of a person, on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('has every text kept about the person, none about others, no secret and no hash', async ({
    kept: _,
    bridge,
    databaseUrl,
  }) => {
    const rows = await everyRow(databaseUrl)
    const response = await bridge.api('GET', address)
    const text = await response.text()
    expect([response.status, outputSchemas.PersonData.safeParse(JSON.parse(text)).error]).toEqual([
      200,
      undefined,
    ])
    const wordsOfKim = new Set(rows.match(/[a-z]+_kim\b/g))
    expect(wordsOfKim.size).toBeGreaterThan(20)
    expect([...wordsOfKim].filter((word) => !text.includes(word))).toEqual([])
    expect(text).not.toMatch(/lou/i)
    expect(text).not.toMatch(/hash|fingerprint|etag|cfb_|q6urq6|abababab/i)
    // Bytes in a row may break its line.
    const each = rows.trim().split(/\n(?=[a-z_]{4,} )/)
    const tables = Map.groupBy(each, (row) => row.split(' ')[0] ?? '')
    const filled = [...tables].filter(([, all]) => all.some((row) => row.includes('_kim')))
    const named = new Set([...filled.map(([name]) => name), ...wordless])
    expect([...tables.keys()].filter((name) => !named.has(name))).toEqual([])
    expect(filled.length).toBeGreaterThan(12)
  })

  it('tells times, counts and what is in doubt, and is noted in the audit log', async ({
    kept: store,
    bridge,
  }) => {
    const data = outputSchemas.PersonData.parse(await (await bridge.api('GET', address)).json())
    const iso = new Date(at).toISOString()
    expect(data).toMatchObject({
      reports: 1,
      departure: { because: 'user_inactive' },
      hold: { since: iso },
      feeds: [{ activity: [{ client: 'google', polls: 3 }] }],
      sharedFeeds: expect.arrayContaining([
        expect.objectContaining({ name: 'Team', people: 2, leaveShown: true }),
        expect.objectContaining({ name: 'Only one reports', people: 1, leaveShown: false }),
      ]),
      lostLinks: [iso],
      examinations: [{ examinedAt: iso, checks: ['people'] }],
    })
    expect(data.signIns).toHaveLength(2)
    expect(data.records.map(({ kind, leftOut }) => [kind, leftOut])).toEqual([
      ['leaves', 1],
      ['timesheets', 0],
      ['user', 0],
    ])
    expect(data.leaveClaims).toMatchObject([
      { leaveId: 'leave_kim', isOwner: true, isDisputed: false },
      { leaveId: null, isOwner: false, isDisputed: true },
    ])
    expect(data.tasks.map(({ id, otherAssignees }) => [id, otherAssignees])).toEqual([
      ['task_kim', 0],
      ['together_1', 1],
      ['together_2', 1],
    ])
    const [entry] = await store.audit.listEntries({ companyId, limit: 1 })
    expect(entry).toMatchObject({
      action: 'person_exported',
      actor: 'admin',
      userIds: ['usr_kim'],
      label: null,
    })
  })

  it('has what the company read before at another address, and nothing that another company did', async ({
    kept: store,
    bridge,
  }) => {
    const before = [
      ['before', companyId, 'kim'],
      ['of_south', 'south', 'lou'],
      ['of_nobody', null, 'lou'],
    ] as const
    for (const [id, ofCompany, who] of before) {
      const examination = { companyId: ofCompany ?? '', ok: true, findings: [] }
      if (ofCompany) await store.examinations.keepExamination(id, { examination, examinedAt: at })
      const own = { id: `earlier_${who}`, startDate: at, endDate: at }
      const member = { id: 'usr_kim', firstName: `namesake_${who}` }
      await keep(store, id, 'leaves:usr_kim', [own])
      await keep(store, id, 'tasks:prj', [{ id: `earliertask_${who}`, assignees: [member] }])
      const present = [`earlier_${who}`]
      await store.proofs.noteReading(id, readingOf('usr_kim', { present }))
    }
    const text = await (await bridge.api('GET', address)).text()
    expect(text.match(/earlier(task)?_kim/g)).toEqual(
      expect.arrayContaining(['earlier_kim', 'earliertask_kim']),
    )
    expect(text).not.toMatch(/lou/i)
  })

  it('is the same by the command line, and nothing once the person is erased', async ({
    kept: _,
    bridge,
    environment,
  }) => {
    const { output } = await runCommand(environment, 'person', 'export', '--user', 'usr_kim')
    const { audit: __, feeds, ...told } = JSON.parse(output) as Record<string, unknown>
    const response = await (await bridge.api('GET', address)).json()
    const { audit, ...answered } = response as Record<string, unknown>
    // The verdict on a program says how long ago it asked.
    expect({ ...told, feeds: answered['feeds'] }).toEqual(answered)
    expect(feeds).toHaveLength(1)
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'person_exported', by: 'command-line' }),
    )
    await bridge.api('POST', '/api/erasures', { userId: 'usr_kim' })
    expect((await bridge.api('GET', address)).status).toBe(404)
    const gone = await runCommand(environment, 'person', 'export', '--user', 'usr_kim')
    expect([gone.code, gone.errors]).toEqual([
      1,
      'Nothing is kept about usr_kim in main: is the id right?\n',
    ])
    for (const other of [
      '/api/companies/main/people/usr_x/data',
      '/api/companies/x/people/usr_lou/data',
    ]) {
      expect((await bridge.api('GET', other)).status).toBe(404)
    }
  })
})
