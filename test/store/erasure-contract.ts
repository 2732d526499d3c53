import { expect, inject, it } from 'vitest'

import { findingOf } from '../../src/domain/examination.ts'
import { everythingIn } from '../support/bridge/search-database.ts'
import {
  adasFeed,
  copyBegunAt,
  departureOf,
  erasedPerson as erased,
  linkTo,
  ownersOf,
  readingOf,
  uniqueId,
} from './fixtures.ts'
import type { Stores } from './stores.ts'

const nothing = { removed: [], changed: [], copies: 0 }
/** How often nodes write at once. */
const rounds = inject('isThorough') ? 10 : 3

/** What `ErasureStore` promises. */
export function testErasure({ url, store, nodes }: Stores): void {
  const { erasure } = store

  it('the feeds of a person are all of their feeds, in order of creation', async () => {
    const userId = uniqueId('usr')
    const companyId = uniqueId('company')
    const made = [
      adasFeed({ companyId, userIds: [userId], createdAt: 2, revokedAt: 3 }),
      adasFeed({ companyId, userIds: ['usr_bob', userId], createdAt: 1, closedAt: 3 }),
      adasFeed({ userIds: ['usr_bob'] }),
    ]
    for (const feed of made) await store.feeds.createFeed(feed, linkTo(feed))
    const other = adasFeed({ companyId: uniqueId('company'), userIds: [userId] })
    await store.feeds.createFeed(other, linkTo(other))
    expect(await erasure.listFeedsOf(erased({ companyId, userId }))).toEqual([made[1], made[0]])
  })

  it('a feed is removed with its links, its ledger and its idempotency key', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    const creation = { keyHash: uniqueId('key'), requestHash: 'request', createdAt: 9e14 }
    await store.feeds.createFeeds([{ feed, link }], { ...creation, feedIds: [feed.id] })
    await store.ledgers.saveLedger(link, { version: 0, entries: new Map() })
    await erasure.deletePerson(erased({ companyId: feed.companyId, userId: feed.userIds[0]! }))
    expect(await store.links.findByTokenHash(link.tokenHash)).toBeUndefined()
    expect(await store.feeds.findCreation(creation.keyHash)).toBeUndefined()
    await erasure.forgetDeleted()
    expect((await everythingIn(url)).includes(feed.id)).toBe(false)
  })

  it('a person is removed from everything stored under their id', async () => {
    const [connectionId, userId] = [uniqueId('connection'), `${uniqueId('usr')} "%"`]
    const [companyId, keys] = [uniqueId('company'), [`leaves:${userId}`, `user:${userId}`]]
    const feed = adasFeed({ companyId, userIds: [userId] })
    await store.feeds.createFeed(feed, linkTo(feed))
    const left = { companyId, audience: 'others', userIds: ['usr_bob'] } as const
    const former = adasFeed({ ...left, shownCollections: [`leaves:${userId}`] })
    await store.feeds.createFeed(former, linkTo(former))
    for (const key of keys) {
      await store.copies.keepCopy(connectionId, copyBegunAt(1000, { key }), {
        whileInFeed: { companyId, userId },
      })
    }
    for (const reading of [
      readingOf(userId, { present: ['lv_1', 'lv_2'] }),
      readingOf('usr_bob', { present: ['lv_1', 'lv_3'] }),
      readingOf(userId, { present: ['lv_3'] }),
    ]) {
      await store.proofs.noteReading(connectionId, reading)
    }
    await store.departures.keepDeparture(departureOf(companyId, userId))
    await store.people.seePeople(companyId, [{ id: userId }, { id: 'usr_bob' }], 1)
    const bob = { id: 'usr_bob', assignedManagerId: userId }
    const read = { userId: bob.id, state: 'active', user: bob, readAt: 1 } as const
    await store.people.keepReading(companyId, read, 2)
    const words = { seen: `Of ${userId} …`, means: '', set: null }
    const finding = findingOf({ check: 'leaves', level: 'ok', ...words })
    const examination = { companyId, ok: true, findings: [finding] }
    await store.examinations.keepExamination(connectionId, { examination, examinedAt: 1 })
    const session = { cookieHash: linkTo(feed).tokenHash, createdAt: 1, endsAt: 9e14 }
    await store.sessions.createSession({ ...session, person: { companyId, userId }, staff: null })
    await store.lostLinks.takeTurn({ companyId, userId }, { now: 5, since: 1, most: 1 })
    const created = { at: 1, actor: `person:${userId}`, action: 'feed_created' } as const
    const told = { companyId, feedId: feed.id, label: `for ${userId}` }
    await store.audit.addEntry(created, { ...told, userIds: [userId] })

    const person = erased({ companyId, userId, copyKeys: keys })
    expect(await erasure.countCopies(person)).toBe(2)
    expect(await erasure.deletePerson(person)).toEqual({
      removed: [{ id: feed.id, name: feed.name }],
      changed: [],
      copies: 2,
    })
    await erasure.forgetDeleted()
    expect(await store.proofs.listDisputed(connectionId, 9)).toEqual([])
    expect(await store.proofs.findClaims(connectionId, ['lv_1', 'lv_2', 'lv_3'])).toHaveLength(2)
    expect(await ownersOf(store, connectionId, 'lv_3')).toEqual(['usr_bob'])
    const everything = await everythingIn(url)
    expect(everything.includes(userId)).toBe(false)
    expect(everything.includes(JSON.stringify(userId).slice(1, -1))).toBe(false)
    expect(await erasure.deletePerson(person)).toEqual(nothing)
  })

  it('audit entries about them and by them no longer name them, in their company only', async () => {
    const [companyId, other] = [uniqueId('company'), uniqueId('company')]
    const userId = uniqueId('usr')
    const namesake = userId.toUpperCase()
    const label = 'phone of Ada'
    const note = (company: string, actor: string, userIds: readonly string[]): Promise<void> =>
      store.audit.addEntry(
        { at: 5, actor, action: 'link_created' },
        { companyId: company, feedId: 'feed', userIds, label },
      )
    const person = { companyId, userId }
    await note(companyId, `person:${userId}`, [userId])
    await note(companyId, 'admin', ['usr_bob', userId])
    await note(companyId, `person:${namesake}`, [namesake])
    await note(companyId, 'admin', [])
    await note(other, `person:${userId}`, [userId])
    const sessionOf = (company: string) => ({
      cookieHash: linkTo(adasFeed()).tokenHash,
      person: { companyId: company, userId },
      staff: null,
      staffToken: null,
      createdAt: 1,
      endsAt: 9e14,
    })
    const [own, others] = [sessionOf(companyId), sessionOf(other)]
    for (const session of [own, others]) await store.sessions.createSession(session)
    const turn = { now: 5, since: 1, most: 1 }
    for (const company of [companyId, other]) {
      expect(await store.lostLinks.takeTurn({ companyId: company, userId }, turn)).toBe(true)
    }

    await erasure.deletePerson(erased(person))
    const listed = async (company: string): Promise<unknown[]> => {
      const entries = await store.audit.listEntries({ companyId: company, limit: 9 })
      return entries.map((entry) => [entry.actor, entry.userIds, entry.label])
    }
    const left = await listed(companyId)
    expect(left).toHaveLength(4)
    expect(left).toEqual(
      expect.arrayContaining([
        ['person:erased', [], null],
        ['admin', ['usr_bob'], label],
        [`person:${namesake}`, [namesake], label],
        ['admin', [], label],
      ]),
    )
    expect(await listed(other)).toEqual([[`person:${userId}`, [userId], label]])
    expect(await store.sessions.findSession(own.cookieHash)).toBeUndefined()
    expect(await store.sessions.findSession(others.cookieHash)).toEqual(others)
    expect(await store.lostLinks.takeTurn({ companyId: other, userId }, turn)).toBe(false)
    expect(await store.lostLinks.takeTurn(person, turn)).toBe(true)
  })

  it('the audit event is stored with it and names no person, not even one who erases themselves', async () => {
    const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
    const email = `${uniqueId('ada')}@example.com`
    const user = { id: userId, email, firstName: 'Ada', lastName: 'L' }
    await store.people.seePeople(companyId, [{ id: userId }], 1)
    await store.people.keepReading(companyId, { userId, state: 'active', user, readAt: 2 }, 9)
    const auditEvent = { at: 7, actor: `staff:${email}`, action: 'person_erased' } as const
    await erasure.deletePerson(erased({ companyId, userId }), auditEvent)
    const entries = await store.audit.listEntries({ companyId, limit: 9 })
    expect(entries).toEqual([
      {
        ...auditEvent,
        actor: 'staff:erased',
        id: entries[0]?.id,
        companyId,
        feedId: null,
        userIds: [],
        label: null,
      },
    ])
  })

  it('feeds with others continue without them, even when changed meanwhile', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
      const feed = adasFeed({ companyId, userIds: ['usr_bob', userId, 'usr_cleo'], name: 'Team' })
      const own = adasFeed({ companyId, userIds: [userId, userId] })
      for (const made of [feed, own]) await store.feeds.createFeed(made, linkTo(made))
      const changing = nodes.map((node) => node.call('feeds', 'changeFeed', feed.id, '!'))
      const taken = await erasure.deletePerson(erased({ companyId, userId }))
      await Promise.all(changing)
      expect(taken.removed).toEqual([{ id: own.id, name: own.name }])
      expect(taken.changed).toEqual([{ id: feed.id, name: expect.stringMatching(/^Team!*$/) }])
      const left = { userIds: ['usr_bob', 'usr_cleo'], name: 'Team!!', revision: 4 }
      expect(await store.feeds.findFeed(feed.id)).toMatchObject(left)
      expect(await erasure.listFeedsOf(erased({ companyId, userId }))).toEqual([])
      expect(await erasure.listFeedsOf(erased({ companyId, userId: 'usr_cleo' }))).toHaveLength(1)
    }
  })

  it('a person is no longer staff by their address, unless others share it', async () => {
    const [companyId, userId, twin] = [uniqueId('company'), uniqueId('usr'), uniqueId('usr')]
    const email = `${uniqueId('ada')}@example.com`
    const actor = `staff:${email}`
    const staff = { actor, role: 'admin' } as const
    const cookieHash = linkTo(adasFeed()).tokenHash
    const session = {
      cookieHash,
      person: null,
      staff,
      staffToken: null,
      createdAt: 1,
      endsAt: 9e14,
    }
    await store.sessions.createSession(session)
    const signedIn = { at: 5, actor, action: 'staff_signed_in' } as const
    const feedId = uniqueId('feed')
    await store.audit.addEntry(signedIn, { companyId: null, feedId, userIds: [], label: null })
    for (const id of [userId, twin]) {
      const user = { id, email: email.toUpperCase(), firstName: 'Ada', lastName: 'L' }
      await store.people.seePeople(companyId, [{ id }], 1)
      await store.people.keepReading(companyId, { userId: id, state: 'active', user, readAt: 2 }, 9)
    }
    const actors: unknown[] = []
    for (const id of [twin, userId]) {
      await erasure.deletePerson(erased({ companyId, userId: id }))
      const [entry] = await store.audit.listEntries({ feedId, limit: 1 })
      actors.push(entry?.actor, await store.sessions.findSession(cookieHash))
    }
    expect(actors).toEqual([actor, session, 'staff:erased', undefined])
  })

  it('erasing a staff address in one company keeps staff entries elsewhere and the session', async () => {
    const [companyId, other, userId] = [uniqueId('company'), uniqueId('company'), uniqueId('usr')]
    const email = `${uniqueId('boss')}@example.com`
    const actor = `staff:${email}`
    const cookieHash = linkTo(adasFeed()).tokenHash
    const staff = { actor, role: 'admin' } as const
    const session = {
      cookieHash,
      person: null,
      staff,
      staffToken: null,
      createdAt: 1,
      endsAt: 9e14,
    }
    await store.sessions.createSession(session)
    const told = { feedId: uniqueId('feed'), userIds: [], label: null }
    const auditEvent = { at: 5, actor, action: 'feed_changed' } as const
    for (const company of [companyId, other, null]) {
      await store.audit.addEntry(auditEvent, { ...told, companyId: company })
    }
    const user = { id: userId, email, firstName: 'Not', lastName: 'Them' }
    await store.people.seePeople(companyId, [{ id: userId }], 1)
    await store.people.keepReading(companyId, { userId, state: 'active', user, readAt: 2 }, 9)
    await erasure.deletePerson(erased({ companyId, userId, isStaffAnywhere: false }))
    const entries = await store.audit.listEntries({ feedId: told.feedId, limit: 9 })
    expect(new Map(entries.map((entry) => [entry.companyId, entry.actor]))).toEqual(
      new Map([
        [companyId, 'staff:erased'],
        [other, actor],
        [null, actor],
      ]),
    )
    expect(await store.sessions.findSession(cookieHash)).toEqual(session)
  })

  it('nothing that other nodes are writing about a person remains after the erasure', async () => {
    const [connectionId, other] = [uniqueId('connection'), uniqueId('connection')]
    for (let round = 0; round < 2 * rounds; round += 1) {
      const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
      const feed = adasFeed({ companyId, userIds: [userId] })
      const namesake = adasFeed({ userIds: [userId] })
      const copy = copyBegunAt(1000, { key: `leaves:${userId}` })
      const onlyInFeed = round % 2 === 0
      const present = [`lv_${round}`]
      const reading = readingOf(userId, { companyId, present, onlyInFeed })
      for (const made of [feed, namesake]) await store.feeds.createFeed(made, linkTo(made))
      const keeping = [
        nodes[0].call('copies', 'keepCopy', connectionId, copy, {
          whileInFeed: { companyId, userId },
        }),
        nodes[1].call('proofs', 'noteReading', connectionId, reading),
        nodes[0].call('copies', 'keepCopy', other, copy, {
          whileInFeed: { companyId: namesake.companyId, userId },
        }),
      ]
      const kept = { copyKeys: [copy.key], otherConnectionIds: [other] }
      const person = erased({ companyId, userId, ...kept })
      await erasure.deletePerson(person)
      await Promise.all(keeping)
      expect(await store.proofs.noteReading(connectionId, reading)).toEqual([])
      expect(await store.copies.findHeads(connectionId, [copy.key])).toEqual([])
      expect(await store.proofs.findClaims(connectionId, present)).toEqual([])
      expect(await store.copies.findHeads(other, [copy.key])).toHaveLength(1)
    }
  })

  it.each([
    ['usr_1', 'Leaves of usr_1, usr_12 and usr_2.', true],
    ['usr_1', 'Of xusr_1, usr_12, usr_1-b, usr_1.5 and a-usr_1 (usr_10).', false],
    ['usr_1', 'lv_9 (usr_1 first)', true],
    ['usr_1', 'Asked:\nusr_1\n', true],
    ['usr_1', '/users/usr_1', true],
    ['usr_1', 'It was usr_1.', true],
    ['%', '100%, usr_1', false],
    ['Ä "1"', 'Of Ä "1": none', true],
    ['Ä "1"', 'Of äÄ "1"', false],
  ])(
    'an examination is removed for %s if it mentions them: %j (%j)',
    async (userId, seen, isRemoved) => {
      const [connectionId, companyId] = [uniqueId('connection'), uniqueId('company')]
      const finding = findingOf({ check: 'leaves', level: 'ok', seen, means: '', set: null })
      const examination = { companyId, ok: true, findings: [finding] }
      await store.examinations.keepExamination(connectionId, { examination, examinedAt: 1 })
      await erasure.deletePerson(erased({ companyId, userId }))
      const kept = await store.examinations.findExamination(connectionId)
      expect(kept === undefined).toBe(isRemoved)
    },
  )

  it('readings of others being recorded neither restore claims of the person nor fail', async () => {
    const present = Array.from({ length: 500 }, (_, index) => `lv_${index}`)
    for (let round = 0; round < rounds; round += 1) {
      const [connectionId, userId] = [uniqueId('connection'), uniqueId('usr')]
      await store.proofs.noteReading(connectionId, readingOf(userId, { present }))
      const others = nodes.map((node, index) => {
        const reading = readingOf(`usr_${index}`, { present: present.toReversed() })
        return node.call('proofs', 'noteReading', connectionId, reading)
      })
      await erasure.deletePerson(erased({ userId, copyKeys: [`leaves:${userId}`] }))
      await Promise.all(others)
      const claims = await store.proofs.findClaims(connectionId, present)
      expect(claims.some((claim) => claim.userId === userId)).toBe(false)
    }
  })

  it('a person with the same id in another company stays', async () => {
    const userId = uniqueId('usr')
    const [north, south] = [uniqueId('north'), uniqueId('south')]
    const companies = new Map([north, south].map((id) => [id, `connection of ${id}`]))
    const key = `leaves:${userId}`
    for (const [companyId, connectionId] of companies) {
      const feed = adasFeed({ companyId, userIds: [userId] })
      await store.feeds.createFeed(feed, linkTo(feed))
      const copy = copyBegunAt(1000, { key })
      await store.copies.keepCopy(connectionId, copy, { whileInFeed: { companyId, userId } })
      await store.proofs.noteReading(connectionId, readingOf(userId, { present: ['lv_1'] }))
      await store.departures.keepDeparture(departureOf(companyId, userId))
      await store.people.seePeople(companyId, [{ id: userId }], 1)
    }
    expect(await erasure.listCompaniesOf(userId, [key], companies)).toEqual([north, south])
    const other = companies.get(south)!
    const person = erased({
      companyId: north,
      userId,
      copyKeys: [key],
      otherConnectionIds: [other],
    })
    expect(await erasure.deletePerson(person)).toMatchObject({ removed: [{}], copies: 1 })
    expect(await erasure.deletePerson(person)).toEqual(nothing)
    expect(await store.people.findPerson(north, userId)).toBeUndefined()
    expect(await store.departures.findDeparture(north, userId)).toBeUndefined()
    expect(await store.proofs.listOwned(companies.get(north)!, userId)).toEqual([])

    expect(await store.people.findPerson(south, userId)).toBeDefined()
    expect(await store.departures.findDeparture(south, userId)).toBeDefined()
    expect(await store.proofs.listOwned(other, userId)).toEqual(['lv_1'])
    expect(await store.copies.findHeads(other, [key])).toHaveLength(1)
    expect(await erasure.listFeedsOf({ ...person, companyId: south })).toHaveLength(1)
    // Who has been erased is known by their mark: the id alone does not say whom of the two is meant.
    expect(await erasure.listCompaniesOf(userId, [key], companies)).toEqual([north, south])
  })

  it('copies of tasks that also name people are listed', async () => {
    const connectionId = uniqueId('connection')
    for (const key of ['tasks:prj_1', 'tasks:prj_2', 'schedules']) {
      await store.copies.keepCopy(connectionId, copyBegunAt(1000, { key }))
    }
    const listed = await erasure.listTaskCopies(erased({}))
    const keys = listed.filter((copy) => copy.connectionId === connectionId).map(({ key }) => key)
    expect(keys.toSorted()).toEqual(['tasks:prj_1', 'tasks:prj_2'])
  })
}
