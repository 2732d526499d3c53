/* Databases as earlier steps of the history left them, with rows as the program of then wrote them. */
import { hash, randomBytes } from 'node:crypto'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { ApiToken } from '../../src/domain/access/staff.ts'
import { readOptions } from '../../src/domain/feed-options.ts'
import { ownerLapsesAfterMs } from '../../src/domain/leave.ts'
import { storeHistory } from '../../src/store/migrations/history.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { type CreateDatabase, databases } from '../support/database/databases.ts'
import { copyBegunAt, firstRead, ownersOf, proofOf, readingOf } from './fixtures.ts'

/** All of them, as a release before they were sparse wrote them for a feed of which nothing was said. */
const whole = {
  window: { pastDays: 90, futureDays: 365 },
  leaves: { show: true, statuses: ['APPROVED', 'PENDING'], detail: 'type' },
  shifts: { show: true, scheduleIds: ['sch_day'], rotation: null, duringLeave: 'hide' },
  timesheets: {
    show: true,
    statuses: ['DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED'],
    as: 'period',
  },
  tasks: { show: true, projectIds: null, hideStatuses: ['DONE', 'COMPLETED', 'CANCELLED'] },
  invoices: { show: false, invoiceIds: [], hideStatuses: ['PAID', 'CANCELLED', 'VOID', 'DRAFT'] },
  reminderMinutes: null,
  selfService: true,
}
const wholeOfOthers = {
  ...whole,
  leaves: { show: true, statuses: ['APPROVED'], detail: 'absent' },
  shifts: { ...whole.shifts, show: false },
  timesheets: { ...whole.timesheets, show: false },
  tasks: { ...whole.tasks, show: false },
}
const rotation = { weeks: [['sch_a'], []], from: '2026-01-05' }

/** Options that a release wrote: audience, all of them, and those of them that are set. */
const written: readonly (readonly [what: string, audience: string, all: object, own: object])[] = [
  ['an own feed by itself', 'own', whole, {}],
  ['a feed for others by itself', 'others', wholeOfOthers, { selfService: true }],
  [
    'a group half set, and a number',
    'own',
    { ...whole, window: { pastDays: 90, futureDays: 30 }, reminderMinutes: 15 },
    { window: { futureDays: 30 }, reminderMinutes: 15 },
  ],
  [
    'an own feed that shows what others see',
    'own',
    { ...wholeOfOthers, selfService: false },
    {
      leaves: { statuses: ['APPROVED'], detail: 'absent' },
      shifts: { show: false },
      timesheets: { show: false },
      tasks: { show: false },
      selfService: false,
    },
  ],
  [
    'a rotation and empty lists',
    'own',
    {
      ...whole,
      shifts: { ...whole.shifts, rotation },
      tasks: { ...whole.tasks, projectIds: [], hideStatuses: [] },
    },
    { shifts: { rotation }, tasks: { projectIds: [], hideStatuses: [] } },
  ],
  [
    'a list in another order',
    'own',
    { ...whole, leaves: { ...whole.leaves, statuses: ['PENDING', 'APPROVED'] } },
    { leaves: { statuses: ['PENDING', 'APPROVED'] } },
  ],
]

/** What no release wrote, or only one before an option existed. */
const odd: typeof written = [
  ['members in another order', 'own', { ...whole, window: { futureDays: 365, pastDays: 90 } }, {}],
  ['nulls', 'own', { ...whole, window: null, tasks: { ...whole.tasks, show: null } }, {}],
  ['members that are missing', 'own', { ...whole, invoices: undefined, tasks: {} }, {}],
  [
    'members that nobody knows',
    'own',
    { ...whole, moon: 1, tasks: { ...whole.tasks, colour: 'red' } },
    { moon: 1, tasks: { colour: 'red' } },
  ],
]
const unreadable = ['', '{"window"']

/** Options that are no group of members. */
const memberless = ['null', '[]']
const feedsAtOnce = 1201

for (const { name, create } of databases) {
  describe(`on ${name}`, () => {
    describe('options that were stored whole', () => {
      testSparseOptions(create)
    })

    describe('tables with former names', () => {
      testHouseWords(create)
    })

    describe('leaves stored only with the people they were returned for', () => {
      testOwners(create)
    })

    describe('feeds with less history', () => {
      testFeedMemory(create)
    })

    it('people with ids that differed only in case and zeros are found by all similarities', async () => {
      const url = await create()
      const database = await openDatabase(url)
      await takeStepsBefore(database, 'ids folded further')
      const ids = Array.from({ length: 1100 }, (_, index) => `usr_${index}`)
      const people = [...ids, 'müller', 'muller'].map((id) => ({ id, folded: id }))
      await insertPeople(database, JSON.stringify(people))
      const store = await openStore(url)
      expect(await store.peopleFinder.listAlike('main', 'müller', 2)).toEqual(['muller'])
      expect(await store.peopleFinder.listAlike('main', 'USR_1099', 1)).toEqual(['usr_1099'])
      await Promise.all([database.close(), store.close()])
    })

    it('people are found by their known addresses, links show their choices, and old changes have no actor', async () => {
      const url = await create()
      const database = await openDatabase(url)
      await takeStepsBefore(database, 'access')
      const ids = Array.from({ length: 1100 }, (_, index) => `usr_${index}`)
      const people = [...ids, 'long', 'none'].map((id) => ({ id, folded: id }))
      await insertPeople(database, JSON.stringify(people))
      const { queries } = database
      await sql`update people set email = 'Person.' || user_id || '@Example.COM'
        where user_id like 'usr!_%' escape '!'`.execute(queries)
      const long = `${randomBytes(6000).toString('hex')}@example.com`
      await sql`update people set email = ${long} where user_id = 'long'`.execute(queries)
      await sql`insert into feeds (id, company_id, user_ids, audience, name, timezone, locale,
          own_options, revision, leaves_shown, created_at)
        values ('feed', 'main', '["usr_1"]', 'own', 'Ada', 'Europe/Berlin', 'en', '{}', 1, 1, 7)`.execute(
        queries,
      )
      const chosen: Readonly<Record<string, object>> = {
        one: { hide: ['tasks', 'shifts'], detail: 'type', locale: 'de', reminderMinutes: 'none' },
        two: { hide: [], detail: null },
      }
      for (const [label, choices] of Object.entries(chosen)) {
        await sql`insert into links (token_hash, feed_id, label, created_at, choices)
          values (${Buffer.from(label)}, 'feed', ${label}, 7, ${JSON.stringify(choices)})`.execute(
          queries,
        )
      }
      const store = await openStore(url)
      for (const id of ['usr_0', 'usr_700', 'usr_1099']) {
        const found = await store.peopleByMail.findByMail(`person.${id}@EXAMPLE.com`)
        expect(found).toMatchObject([{ userId: id, email: `Person.${id}@Example.COM` }])
      }
      expect((await store.people.findPerson('main', 'long'))?.email).toBe(long)
      const links = await store.links.listLinks(['feed'])
      expect(links.map(({ choices }) => choices)).toEqual([chosen['one'], {}])
      for (const table of ['audit', 'sessions', 'tokens', 'lost_links']) {
        expect(await rowsOf(database, table)).toEqual([])
      }
      await Promise.all([database.close(), store.close()])
    })

    it('kinds of leave that others could see stay visible, and people are listed by name', async () => {
      const url = await create()
      const database = await openDatabase(url)
      await takeStepsBefore(database, 'private categories')
      const type = { colors: false, leaves: { statuses: ['APPROVED'], detail: 'type' } }
      const before = [
        ['others', type],
        ['others', { leaves: { detail: 'full' }, tasks: { hideStatuses: ['"detail":"type"'] } }],
        ['others', { leaves: { detail: 'absent' } }],
        ['others', { tasks: { hideStatuses: ['"detail":"full"'] } }],
        ['others', {}],
        ['own', type],
      ] as const
      for (const [index, [audience, own]] of before.entries()) {
        await sql`insert into feeds (id, company_id, user_ids, audience, name, timezone, locale,
            own_options, revision, leaves_shown, created_at)
          values (${`feed_${index}`}, 'main', '["usr_1"]', ${audience}, 'Ada', 'Europe/Berlin',
            'en', ${JSON.stringify(own)}, 1, 1, 7)`.execute(database.queries)
      }
      const people = ['usr_0', 'usr_1', 'usr_2'].map((id) => ({ id, folded: id }))
      await insertPeople(database, JSON.stringify(people))
      await sql`update people set first_name = 'Ö', last_name = user_id
        where user_id = 'usr_2'`.execute(database.queries)
      const store = await openStore(url)
      for (const [index, [audience, own]] of before.entries()) {
        const feed = await store.feeds.findFeed(`feed_${index}`)
        const isShown = audience === 'others' && index < 2
        const leaves = 'leaves' in own ? own.leaves : {}
        const kept = isShown ? { ...own, leaves: { ...leaves, privateCategories: [] } } : own
        expect(feed?.ownOptions).toEqual(kept)
        expect(feed?.options).toEqual(readOptions(audience, kept))
      }
      const [first, second] = await store.peopleList.list({ companyId: 'main', limit: 2 })
      expect([first?.sortName, second?.sortName]).toEqual(['o usr_2', 'usr_0'])
      await Promise.all([database.close(), store.close()])
    })

    it('tokens keep their access, and other companies may reuse their names', async () => {
      const url = await create()
      const database = await openDatabase(url)
      await takeStepsBefore(database, 'tokens named by company')
      const tokens: readonly ApiToken[] = [
        { ...token, name: 'a', tokenHash: hashOf('a'), companyId: null, lastUsedAt: 9 },
        { ...token, name: 'b', tokenHash: hashOf('b'), companyId: 'north', lastUsedAt: null },
      ]
      for (const { name: called, tokenHash, role, companyId, createdAt, lastUsedAt } of tokens) {
        await sql`insert into tokens (name, token_hash, role, company_id, created_at, last_used_at)
          values (${called}, ${tokenHash}, ${role}, ${companyId}, ${createdAt}, ${lastUsedAt})`.execute(
          database.queries,
        )
      }
      const store = await openStore(url)
      expect(await store.tokens.listTokens(null)).toEqual(tokens)
      expect(await store.tokens.findByHash(hashOf('b'))).toEqual(tokens[1])
      const other = { ...tokens[1]!, tokenHash: hashOf('c') }
      const isInUse = { code: 'conflict' }
      await expect(store.tokens.createToken(other)).rejects.toMatchObject(isInUse)
      await store.tokens.createToken({ ...other, companyId: 'south' })
      const inserted = sql`insert into tokens (name, token_hash, role, company_id, created_at)
        values ('a', ${hashOf('d')}, 'admin', null, 5)`.execute(database.queries)
      await expect(inserted).rejects.toMatchObject(isInUse)
      await Promise.all([database.close(), store.close()])
    })
  })
}

const token = { role: 'support', createdAt: 7 } as const

function hashOf(text: string): Uint8Array {
  return new Uint8Array(hash('sha256', text, 'buffer'))
}

function testSparseOptions(create: CreateDatabase): void {
  const columns = sql.raw(
    'id, company_id, user_ids, audience, name, timezone, locale, options, revision, leaves_shown, created_at, purged',
  )
  let database: Database<unknown>
  let store: Store

  beforeAll(async () => {
    const url = await create()
    database = await openDatabase(url)
    await takeStepsBefore(database, 'sparse options')
    for (const [id, audience, all] of [...written, ...odd]) {
      await insertFeed(id, audience, JSON.stringify(all))
    }
    for (const text of [...unreadable, ...memberless]) await insertFeed(`as ${text}`, 'own', text)
    await insertFeed('one', 'own', JSON.stringify(whole))
    await sql`insert into feeds (${columns})
      with recursive numbers (n) as
        (select 1 union all select n + 1 from numbers where n < ${sql.lit(feedsAtOnce)})
      select id || n, company_id, user_ids, audience, name, timezone, locale, options, revision,
        leaves_shown, n / 700, purged from feeds, numbers where id = 'one'`.execute(
      database.queries,
    )
    store = await openStore(url)
  })
  afterAll(() => Promise.all([database.close(), store.close()]))

  async function insertFeed(id: string, audience: string, options: string): Promise<void> {
    await sql`insert into feeds (${columns}) values (${id}, 'main', '["usr_ada"]', ${audience},
      'Ada', 'Europe/Berlin', 'en', ${options}, 1, 0, 7, 0)`.execute(database.queries)
  }

  async function ownOptionsOf(id: string): Promise<string> {
    const { rows } = await sql<{
      own_options: string
    }>`select own_options from feeds where id = ${id}`.execute(database.queries)
    return rows[0]!.own_options
  }

  it.each(written)(
    'complete options are unchanged, and without colours: %s',
    async (id, _, all) => {
      const feed = await store.feeds.findFeed(id)
      expect(feed?.options).toMatchObject(all)
      expect(feed?.options.colors).toBe(false)
      expect(feed?.revision).toBe(1)
    },
  )

  it.each([...written, ...odd])('set options remain, and schedules always: %s', async (...row) => {
    const [id, , , own] = row
    const schedules = { scheduleIds: ['sch_day'] }
    const shifts = 'shifts' in own ? { ...schedules, ...Object(own.shifts) } : schedules
    expect(JSON.parse(await ownOptionsOf(id))).toEqual({ ...own, colors: false, shifts })
  })

  it.each(odd)('all other options take their defaults: %s', async (id) => {
    const feed = await store.feeds.findFeed(id)
    const shifts = { scheduleIds: ['sch_day'] }
    expect(feed?.options).toEqual(readOptions('own', { shifts, colors: false }))
  })

  it.each(unreadable)('unreadable options are unchanged: %j', async (text) => {
    const id = `as ${text}`
    await expect(store.feeds.findFeed(id)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await ownOptionsOf(id)).toBe(text)
  })

  it.each(memberless)('options without members are unchanged: %j', async (text) => {
    const id = `as ${text}`
    expect((await store.feeds.findFeed(id))?.options).toEqual(readOptions('own'))
    expect(await ownOptionsOf(id)).toBe(text)
  })

  it('are read in parts, even if feeds were created at the same time', async () => {
    const { rows } = await sql<{ own_options: string; feeds: number }>`
      select own_options, count(*) as feeds from feeds where id like 'one%' group by own_options`.execute(
      database.queries,
    )
    const ownOptions = JSON.stringify({ colors: false, shifts: { scheduleIds: ['sch_day'] } })
    expect(rows).toMatchObject([{ own_options: ownOptions, feeds: feedsAtOnce + 1 }])
  })
}

function testHouseWords(create: CreateDatabase): void {
  const records = Buffer.from('records')
  let database: Database<unknown>
  let store: Store

  beforeAll(async () => {
    const url = await create()
    database = await openDatabase(url)
    await takeStepsBefore(database, 'words of the house')
    for (const key of ['leaves:usr_ada', 'leaves:usr_bob']) {
      await sql`insert into snapshot_heads (connection_id, key, content_hash, begun_at, fetched_at)
        values ('one', ${key}, 'hash', 1, 2)`.execute(database.queries)
      await sql`insert into snapshot_bodies (connection_id, key, records)
        values ('one', ${key}, ${records})`.execute(database.queries)
    }
    await sql`insert into leavers (company_id, user_id, because, since, read_at)
      values ('main', 'usr_ada', 'user_missing', 1, 2),
        ('main', 'usr_bob', 'user_inactive', 1, 2),
        ('main', 'usr_cleo', 'user_missing', 1, 86400001),
        ('main', 'usr_dan', 'user_missing', 2, 86400001)`.execute(database.queries)
    await sql`update leavers set left_at = 3 where user_id = 'usr_dan'`.execute(database.queries)
    store = await openStore(url)
  })
  afterAll(() => Promise.all([database.close(), store.close()]))

  it('every row is kept', async () => {
    const read = { because: 'user_missing', since: 1, readAt: 2, leftAt: null, wasHere: true }
    expect(await store.departures.findDeparture('main', 'usr_ada')).toMatchObject(read)
    const heads = await store.copies.findHeads('one', ['leaves:usr_ada', 'leaves:usr_bob'])
    expect(heads).toEqual(
      ['leaves:usr_ada', 'leaves:usr_bob'].map((key) => ({
        key,
        contentHash: 'hash',
        begunAt: 1,
        fetchedAt: 2,
        reach: null,
        missingSince: null,
        withReasons: true,
      })),
    )
    const kept = { connection_id: 'one', records: new Uint8Array(records) }
    expect(await rowsOf(database, 'copy_records')).toEqual([
      { ...kept, key: 'leaves:usr_ada' },
      { ...kept, key: 'leaves:usr_bob' },
    ])
  })

  it('hold back departures that could have been believed and were not', async () => {
    const isHeldBack = async (userId: string): Promise<boolean | undefined> =>
      (await store.departures.findDeparture('main', userId))?.isHeldBack
    expect(await isHeldBack('usr_ada')).toBe(false)
    expect(await isHeldBack('usr_bob')).toBe(true)
    expect(await isHeldBack('usr_cleo')).toBe(true)
    expect(await isHeldBack('usr_dan')).toBe(false)
  })

  it('records are still deleted with their copy, and none exist without one', async () => {
    await store.copies.dropCopies('one', ['leaves:usr_ada'])
    expect(await rowsOf(database, 'copy_records')).toMatchObject([{ key: 'leaves:usr_bob' }])
    const alone = sql`insert into copy_records (connection_id, key, records)
      values ('one', 'leaves:usr_eve', ${records})`.execute(database.queries)
    await expect(alone).rejects.toMatchObject({ code: 'conflict' })
  })

  it('foreign keys remain, and on SQLite rows are found by their key alone', async () => {
    if (database.dialect === 'postgres') return
    expect(await rowsOf(database, `pragma_foreign_key_list('copy_records')`)).toMatchObject([
      { table: 'copies', from: 'connection_id', to: 'connection_id', on_delete: 'CASCADE' },
      { table: 'copies', from: 'key', to: 'key', on_delete: 'CASCADE' },
    ])
    expect(await rowsOf(database, 'pragma_foreign_key_check')).toEqual([])
    const tables = await rowsOf(database, 'pragma_table_list where wr = 1 order by name')
    expect(tables.map((table) => Object(table).name)).toEqual([
      'activity',
      'copies',
      'departures',
      'feed_users',
      'leave_owners',
      'lost_links',
      'newcomers',
      'people',
      'sessions',
    ])
  })
}

function testOwners(create: CreateDatabase): void {
  let database: Database<unknown>
  let store: Store

  beforeAll(async () => {
    const url = await create()
    database = await openDatabase(url)
    await takeStepsBefore(database, 'owners of leaves')
    for (const [leave, user, contested] of [
      ['lv_1', 'usr_ada', 0],
      ['lv_2', 'usr_ada', 1],
      ['lv_2', 'usr_bob', 1],
    ] as const) {
      await sql`insert into leave_owners (connection_id, leave_id, user_id, contested)
        values ('one', ${leave}, ${user}, ${contested})`.execute(database.queries)
    }
    await sql`insert into proofs (connection_id, state, reason, since)
      values ('one', 'proven', null, 7)`.execute(database.queries)
    const { records: _, ...head } = copyBegunAt(1000)
    await sql`insert into copies (connection_id, key, content_hash, begun_at, fetched_at, with_reasons)
      values ('one', ${head.key}, ${head.contentHash}, ${head.begunAt}, ${head.fetchedAt}, 0)`.execute(
      database.queries,
    )
    store = await openStore(url)
  })
  afterAll(() => Promise.all([database.close(), store.close()]))

  it('belong to a person if returned for one, and to nobody if for several', async () => {
    const claims = await store.proofs.findClaims('one', ['lv_1', 'lv_2'])
    const since = { since: 0, absentSince: null, isGone: false }
    expect(new Set(claims)).toEqual(
      new Set([
        { leaveId: 'lv_1', userId: 'usr_ada', isOwner: true, ...since },
        { leaveId: 'lv_2', userId: 'usr_ada', isOwner: false, ...since },
        { leaveId: 'lv_2', userId: 'usr_bob', isOwner: false, ...since },
      ]),
    )
    expect(await store.proofs.listDisputed('one', 9)).toHaveLength(2)
    expect(await store.proofs.countWrongedOwners('one', 0)).toBe(0)
  })

  it('move to no other person; a contested one moves when the other lacks it for a day', async () => {
    const bobs = { present: ['lv_1', 'lv_2'] }
    await store.proofs.noteReading('one', readingOf('usr_bob', bobs))
    expect(await store.proofs.listOwned('one', 'usr_bob')).toEqual([])
    await store.proofs.noteReading('one', readingOf('usr_ada', { absent: ['lv_2'] }))
    const dayLater = { ...bobs, now: firstRead + ownerLapsesAfterMs }
    await store.proofs.noteReading('one', readingOf('usr_bob', dayLater))
    expect(await ownersOf(store, 'one', 'lv_1')).toEqual(['usr_ada'])
    expect(await ownersOf(store, 'one', 'lv_2')).toEqual(['usr_bob'])
  })

  it('the proof remains, based on similar ids or an unknown credential', async () => {
    expect(await store.proofs.findProof('one')).toEqual(proofOf({ since: 7 }))
  })

  it('stay in copies without doubts', async () => {
    const { records: _, ...head } = copyBegunAt(1000)
    expect(await store.copies.findHeads('one', [head.key])).toEqual([head])
    expect(await store.doubts.listDoubted('one')).toEqual([])
    expect(await store.doubts.countEmptied('one', 'leaves', 0)).toEqual({ filled: 1, emptied: 0 })
  })
}

function testFeedMemory(create: CreateDatabase): void {
  const [revokedAt, closedAt] = [9_000_000_000_000, 7]
  let database: Database<unknown>
  let store: Store

  beforeAll(async () => {
    const url = await create()
    database = await openDatabase(url)
    await takeStepsBefore(database, 'instants of purges')
    for (const [id, revoked, purged] of [
      ['open', null, 0],
      ['ended', revokedAt, 0],
      ['purged', revokedAt, 1],
    ] as const) {
      await sql`insert into feeds (id, company_id, user_ids, audience, name, timezone, locale,
          own_options, revision, leaves_shown, created_at, revoked_at, purged, closed_at)
        values (${id}, 'main', '["usr_ada"]', 'own', 'Ada', 'Europe/Berlin', 'en',
          '{}', 1, 1, 7, ${revoked}, ${purged}, ${closedAt})`.execute(database.queries)
    }
    for (const [id, client] of [
      ['open', 'browser'],
      ['ended', 'google'],
    ] as const) {
      const tokenHash = Buffer.from(id)
      await sql`insert into links (token_hash, feed_id, label, created_at)
        values (${tokenHash}, ${id}, 'default', 7)`.execute(database.queries)
      await sql`insert into activity (token_hash, client, first_polled_at, last_polled_at, last_status, polls)
        values (${tokenHash}, ${client}, 8, 8, 200, 1)`.execute(database.queries)
    }
    store = await openStore(url)
  })
  afterAll(() => Promise.all([database.close(), store.close()]))

  it.each([
    ['open', { revokedAt: null, purgedAt: null }],
    ['ended', { revokedAt, purgedAt: null }],
    ['purged', { revokedAt, purgedAt: revokedAt }],
  ])('feeds keep their ends and have no known shown collections: %s', async (id, ends) => {
    const rest = { leavesShown: true, shownCollections: [], closedAt, revision: 1 }
    expect(await store.feeds.findFeed(id)).toMatchObject({ ...ends, ...rest })
  })

  it('count as requested as before, except by browsers', async () => {
    const quiet = await store.feeds.listFeeds({ neverPolled: true, limit: 9 })
    expect(quiet.map(({ id }) => id)).toEqual(['open', 'purged'])
  })

  it('feeds can still be changed and marked', async () => {
    await store.feeds.markShown('open', { keys: ['tasks:prj_web'], leaves: false })
    await store.feeds.changeFeed('open', (feed) => ({ ...feed, purgedAt: 8 }))
    expect(await store.feeds.findFeed('open')).toMatchObject({
      purgedAt: 8,
      shownCollections: ['tasks:prj_web'],
    })
  })
}

async function insertPeople(database: Database<unknown>, json: string): Promise<void> {
  const isPostgres = database.dialect === 'postgres'
  const rows = isPostgres ? sql`json_array_elements(${json}::json)` : sql`json_each(${json})`
  await sql`insert into people (company_id, user_id, folded_id, reversed_id, state, seen_at, due_at)
    select 'main', value ->> 'id', value ->> 'folded', 'x', 'unread', 1, 1
    from ${rows} as known`.execute(database.queries)
}

async function takeStepsBefore(database: Database<unknown>, name: string): Promise<void> {
  const count = storeHistory.migrations.findIndex((step) => step.name === name)
  const migrations = storeHistory.migrations.slice(0, count)
  await migrate(database, { ...storeHistory, migrations })
}

async function rowsOf(database: Database<unknown>, from: string): Promise<unknown[]> {
  const { rows } = await sql<object>`select * from ${sql.raw(from)}`.execute(database.queries)
  return rows.map((row) => ({ ...row }))
}
