import { describe, expect, it } from 'vitest'

import type { PersonReading } from '../../src/domain/person.ts'
import { dayMs } from '../../src/domain/world.ts'
import { departureOf, erasedPerson, makeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `PeopleStore`, `PeopleFinder` and `LookRoundStore` promise. */
export function testPeople(stores: Stores): void {
  testSightings(stores)
  testReadings(stores)
  testTaking(stores)
  describe('found', () => {
    testFinding(stores)
  })
  describe('look round', () => {
    testLookRounds(stores)
  })
}

const ada = { id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }

function readingOf(changes: Partial<PersonReading> = {}): PersonReading {
  return { userId: ada.id, state: 'active', user: ada, readAt: 5, ...changes }
}

function testSightings({ store }: Stores): void {
  const { people } = store

  async function idsOf(companyId: string): Promise<readonly string[]> {
    return (await people.listPeople(companyId)).map(({ userId }) => userId)
  }

  it('a seen person is stored once, by the first name', async () => {
    const companyId = uniqueId('company')
    await people.seePeople(companyId, [{ id: 'usr_b' }, { id: 'usr_a', firstName: 'A' }], 1)
    await people.seePeople(companyId, [{ id: 'usr_b', lastName: 'B' }, { id: 'usr_b' }], 2)
    await people.seePeople(companyId, [{ id: 'usr_a', firstName: 'Z' }], 3)
    const noManager = { managerId: null, managerMissingSince: null }
    const seen = { email: null, ...noManager, state: 'unread', readAt: null }
    expect(await people.listPeople(companyId)).toEqual([
      {
        ...seen,
        userId: 'usr_a',
        firstName: 'A',
        lastName: null,
        seenAt: 3,
        known: { name: 'a', mail: '' },
      },
      {
        ...seen,
        userId: 'usr_b',
        firstName: null,
        lastName: null,
        seenAt: 2,
        known: { name: '', mail: '' },
      },
    ])
    await people.seePeople(companyId, [], 4)
    expect(await idsOf(uniqueId('company'))).toEqual([])
  })

  it('thousands are added at once, and people no longer seen are removed', async () => {
    const companyId = uniqueId('company')
    const many = Array.from({ length: 2500 }, (_, index) => ({ id: `usr_${index}` }))
    await people.seePeople(companyId, many, 1)
    await people.seePeople(companyId, many.slice(0, 1200), 2)
    expect(await idsOf(companyId)).toHaveLength(2500)
    await people.dropUnseen(companyId, 2)
    expect(await idsOf(companyId)).toHaveLength(1200)
  })

  it('members of unrevoked feeds and managers of active people count as seen', async () => {
    const companyId = uniqueId('company')
    const members = Array.from({ length: 1100 }, (_, index) => `usr_${index}`)
    await makeFeed(store, { companyId, userIds: members, audience: 'others' })
    await makeFeed(store, { companyId, userIds: ['usr_closed'], closedAt: 1 })
    await makeFeed(store, { companyId, userIds: ['usr_revoked'], revokedAt: 1 })
    await people.seeMembers(companyId, 1)
    expect(await idsOf(companyId)).toEqual([...members, 'usr_closed'].toSorted())
    const user = { ...ada, assignedManagerId: 'usr_mia' }
    await people.seePeople(companyId, [ada], 2)
    await people.keepReading(companyId, readingOf({ user, readAt: 2 }), 9)
    await people.seeManagers(companyId, 3)
    await people.dropUnseen(companyId, 3)
    expect(await idsOf(companyId)).toEqual(['usr_mia'])
  })

  it('an erased person is not added again in that company until a feed names them', async () => {
    const [companyId, other] = [uniqueId('company'), uniqueId('company')]
    const user = { ...ada, id: 'usr_bob', assignedManagerId: ada.id }
    await people.seePeople(companyId, [user], 1)
    await people.keepReading(companyId, readingOf({ userId: 'usr_bob', user }), 9)
    const person = { companyId, userId: ada.id, copyKeys: ['leaves:usr_ada'] }
    await store.erasure.deletePerson(erasedPerson(person))
    const see = async (id: string): Promise<void> => {
      await people.seePeople(id, [ada, user, { id: 'usr_eve' }], 1)
      await people.keepReading(id, readingOf(), 9)
      await people.keepReading(id, readingOf({ userId: 'usr_bob', user }), 9)
      await people.seeMembers(id, 1)
    }
    await see(companyId)
    await see(other)
    expect(await idsOf(companyId)).toEqual(['usr_bob', 'usr_eve'])
    expect(await people.findPerson(companyId, 'usr_bob')).toMatchObject({ managerId: null })
    expect(await idsOf(other)).toEqual(['usr_ada', 'usr_bob', 'usr_eve'])
    await makeFeed(store, { companyId, userIds: [ada.id] })
    await see(companyId)
    expect(await idsOf(companyId)).toEqual(['usr_ada', 'usr_bob', 'usr_eve'])
  })
}

function testReadings({ store }: Stores): void {
  const { people } = store

  it('a reading replaces what was known and adds the manager', async () => {
    const companyId = uniqueId('company')
    await people.seePeople(companyId, [{ id: ada.id, firstName: 'Adele', lastName: 'L' }], 1)
    const assignedManager = { id: 'usr_mia', firstName: 'Mia' }
    await people.keepReading(companyId, readingOf({ user: { ...ada, assignedManager } }), 9)
    const read = { userId: ada.id, state: 'active', seenAt: 1, readAt: 5 }
    const { id: _, ...names } = ada
    expect(await people.findPerson(companyId, ada.id)).toEqual({
      ...read,
      ...names,
      known: { name: 'ada lovelace', mail: 'ada@example.com' },
      managerId: 'usr_mia',
      managerMissingSince: null,
    })
    expect(await people.findPerson(companyId, 'usr_mia')).toMatchObject({
      firstName: 'Mia',
      state: 'unread',
      seenAt: 5,
    })
    // A record that says nothing does not change who the person is known to be.
    const known = { name: 'ada lovelace', mail: 'ada@example.com' }
    await people.keepReading(companyId, readingOf({ user: { id: ada.id }, known }), 9)
    const nothing = { known, firstName: null, lastName: null, email: null }
    const manager = { managerId: 'usr_mia', managerMissingSince: 5 }
    expect(await people.findPerson(companyId, ada.id)).toEqual({ ...read, ...nothing, ...manager })
  })

  it('a manager whom readings no longer name is kept for a week', async () => {
    const companyId = uniqueId('company')
    await people.seePeople(companyId, [ada], 1)
    const read = (readAt: number, changes: object = {}): Promise<unknown> =>
      people.keepReading(companyId, readingOf({ readAt, ...changes }), 9)
    const mia = { managerId: 'usr_mia', managerMissingSince: null }
    const nobody = { managerId: null, managerMissingSince: null }
    const missing = { managerId: 'usr_mia', managerMissingSince: 20 }
    const lost = { people: [], reporting: 0 }
    const change = { userId: ada.id, before: nobody, after: mia, lost }
    const adas = { userId: ada.id, managerId: 'usr_mia', since: 20, reporting: 1 }
    const lostByAda = { people: [adas], reporting: 1 }
    const withMia = { user: { ...ada, assignedManagerId: 'usr_mia' } }
    expect(await read(10, withMia)).toEqual(change)
    expect(await read(11, withMia)).toBeUndefined()
    expect(await read(12, { user: { ...ada, isActive: false }, state: 'user_inactive' })).toBe(
      undefined,
    )
    expect(await read(13, { user: undefined, state: 'user_missing' })).toBeUndefined()
    expect(await read(20)).toEqual({ ...change, before: mia, after: missing })
    expect(await read(21, { user: undefined, state: 'misnamed' })).toBeUndefined()
    expect(await read(22, withMia)).toEqual({ ...change, before: missing, lost: lostByAda })
    expect(await read(20, { user: undefined, state: 'misnamed' })).toMatchObject({ after: missing })
    expect(await read(19 + 7 * dayMs)).toBeUndefined()
    expect(await read(20 + 7 * dayMs)).toEqual({
      ...change,
      before: missing,
      after: nobody,
      lost: lostByAda,
    })
  })

  it('nothing is stored about a person who was never seen and is in no feed', async () => {
    const companyId = uniqueId('company')
    await makeFeed(store, { companyId, userIds: [ada.id], revokedAt: 1 })
    await people.keepReading(companyId, readingOf(), 9)
    expect(await people.listPeople(companyId)).toEqual([])
    await makeFeed(store, { companyId, userIds: [ada.id] })
    await people.keepReading(companyId, readingOf(), 9)
    expect(await people.listPeople(companyId)).toMatchObject([{ userId: ada.id, seenAt: 5 }])
  })

  it('without a record only the state is stored, and no active person counts as read', async () => {
    const companyId = uniqueId('company')
    await people.seePeople(companyId, [ada, { id: 'usr_bob' }], 1)
    await people.keepReading(companyId, readingOf(), 9)
    const missing = { userId: ada.id, state: 'user_missing', readAt: 6 } as const
    await people.keepReading(companyId, missing, 20)
    expect(await people.findPerson(companyId, ada.id)).toMatchObject({
      state: 'user_missing',
      email: ada.email,
      readAt: 6,
    })
    expect(await people.countDue(companyId, 19)).toBe(1)
    const bob = { userId: 'usr_bob', state: 'active', readAt: 6 } as const
    await people.keepReading(companyId, bob, 20)
    expect(await people.countDue(companyId, 19)).toBe(1)
  })

  it('names are stored without characters that no database accepts', async () => {
    const companyId = uniqueId('company')
    await people.seePeople(companyId, [ada], 1)
    const user = { ...ada, firstName: 'A\u0000d\uD800a', email: '', assignedManagerId: 'u\u0000' }
    await people.keepReading(companyId, readingOf({ user }), 9)
    const kept = { firstName: 'Ada', email: null, managerId: null }
    expect(await people.findPerson(companyId, ada.id)).toMatchObject(kept)
  })
}

function testTaking({ store: { people }, nodes }: Stores): void {
  const plan = { now: 10, againAt: 20, latest: 30 }

  it('takes the person due longest, again when due or when planned too late', async () => {
    const companyId = uniqueId('company')
    const dueAt = async (id: string, instant: number): Promise<void> => {
      await people.seePeople(companyId, [{ id }], 1)
      await people.keepReading(companyId, readingOf({ userId: id, user: { ...ada, id } }), instant)
    }
    await dueAt('usr_late', 10)
    await dueAt('usr_early', 9)
    await dueAt('usr_next', 11)
    await dueAt('usr_ahead', 31)
    const take = (now: number): Promise<string | undefined> =>
      people.takePersonToRead(companyId, { ...plan, now })
    expect(await people.countDue(companyId, 10)).toBe(2)
    expect(await take(10)).toBe('usr_early')
    expect(await take(10)).toBe('usr_late')
    expect(await take(10)).toBe('usr_ahead')
    expect(await take(10)).toBeUndefined()
    expect(await take(11)).toBe('usr_next')
    expect(await take(20)).toBe('usr_ahead')
  })

  it('each person is taken by one node only', async () => {
    const companyId = uniqueId('company')
    const ids = Array.from({ length: 20 }, (_, index) => `usr_${index}`)
    await people.seePeople(
      companyId,
      ids.map((id) => ({ id })),
      1,
    )
    const taking = Array.from({ length: 40 }, (_, index) =>
      nodes[index % 2]!.call('people', 'takePersonToRead', companyId, plan),
    )
    const taken = (await Promise.all(taking)).filter((id) => id !== undefined)
    expect(taken.map(String).toSorted()).toEqual(ids.toSorted())
  })
}

function testFinding({ store }: Stores): void {
  const { people, peopleFinder, departures } = store

  async function companyOf(...ids: readonly string[]): Promise<string> {
    const companyId = uniqueId('company')
    await people.seePeople(
      companyId,
      ids.map((id) => ({ id })),
      1,
    )
    return companyId
  }

  it('lists people who have not left, in id order, starting over at the end', async () => {
    const companyId = await companyOf('a', 'b', 'c', 'd', 'e')
    const [left, may] = ['c', 'd'].map((id) => departureOf(companyId, id))
    for (const departure of [left!, may!]) await departures.keepDeparture(departure)
    await departures.believeDeparture(left!, 3)
    expect(await peopleFinder.countPeople(companyId)).toBe(4)
    expect(await peopleFinder.listPeopleAfter(companyId, 'a', 2)).toEqual(['b', 'd'])
    expect(await peopleFinder.listPeopleAfter(companyId, 'c', 3)).toEqual(['d', 'e', 'a'])
    expect(await peopleFinder.listPeopleAfter(companyId, 'zz', 9)).toEqual(['a', 'b', 'd', 'e'])
    expect(await peopleFinder.listPeopleAfter(companyId, '', 9)).toEqual(['a', 'b', 'd', 'e'])
    expect(await peopleFinder.countPeople(uniqueId('company'))).toBe(0)
  })

  it('finds all known people by id', async () => {
    const companyId = await companyOf('a', 'b')
    await departures.keepDeparture(departureOf(companyId, 'b'))
    const found = await peopleFinder.findPeople(companyId, ['b', 'z', 'a'])
    expect(found.toSorted()).toEqual(['a', 'b'])
    expect(await peopleFinder.findPeople(companyId, [])).toEqual([])
  })

  it.each([
    ['usr_7', 'USR_7', 'usr_007', 'usr_07'],
    ['usr_A', 'usr_a'],
    ['01', '1', '001'],
    ['0', '00'],
    ['müller', 'muller', 'MÜLLER', 'mu\u0308ller', ' muller '],
    ['groß', 'gross'],
    ['90000000000000001', '90000000000000000', '090000000000000001'],
    ['x_1234567890123456789', 'x_1234567890123456788'],
    ['usr_10', 'usr_1', 'usr_', '0', 'usr_100', 'x-usr_10'],
    ['a%', 'a', '%', 'a%b', 'xa%'],
    ['né', 'n', 'é', 'nés', 'Né'],
  ])('finds the ids similar to %s', async (id, ...alike) => {
    const unlike = ['q8', 'sr_7x', 'b11', 'v_', 'y2']
    const companyId = await companyOf(id, ...alike, ...unlike)
    const found = await peopleFinder.listAlike(companyId, id, 20)
    expect(found.toSorted()).toEqual([...new Set(alike)].toSorted())
    expect(await peopleFinder.listAlike(companyId, id, 1)).toHaveLength(1)
    expect(await peopleFinder.listAlike(uniqueId('company'), id, 20)).toEqual([])
  })
}

function testLookRounds({ store: { lookRounds }, nodes }: Stores): void {
  const plan = { now: 10, againAt: 20, latest: 30 }

  it('is taken by one node, and by another if the first does not finish', async () => {
    const companyId = uniqueId('company')
    expect(await lookRounds.findRound(companyId)).toEqual({ lookedAt: null, problems: [] })
    const taking = Array.from({ length: 6 }, (_, index) =>
      nodes[index % 2]!.call('lookRounds', 'takeRound', companyId, plan),
    )
    expect((await Promise.all(taking)).filter(Boolean)).toHaveLength(1)
    expect(await lookRounds.takeRound(companyId, { ...plan, now: 19 })).toBe(false)
    expect(await lookRounds.takeRound(companyId, { ...plan, now: 20, againAt: 28 })).toBe(true)
  })

  it('is stored with what could not be seen, and is due again on time or if planned too late', async () => {
    const companyId = uniqueId('company')
    const problems = [{ source: 'timesheets', reason: 'They are “gone”.' }]
    await lookRounds.endRound(companyId, problems, { now: 10, dueAt: 25 })
    expect(await lookRounds.findRound(companyId)).toEqual({ lookedAt: 10, problems })
    expect(await lookRounds.takeRound(companyId, { ...plan, now: 24 })).toBe(false)
    expect(await lookRounds.takeRound(companyId, { ...plan, latest: 24 })).toBe(true)
    await lookRounds.endRound(companyId, [], { now: 11, dueAt: 25 })
    expect(await lookRounds.findRound(companyId)).toEqual({ lookedAt: 11, problems: [] })
    expect(await lookRounds.takeRound(companyId, { ...plan, now: 25 })).toBe(true)
  })

  it.each(['takeReadingTurn', 'takeRollCallTurn'] as const)(
    '%s gives the turn to one node at a time, even after a clock that ran ahead',
    async (turn) => {
      const companyId = uniqueId('company')
      const takeTurn = (now: number): Promise<boolean> => lookRounds[turn](companyId, now, 1000)
      expect(await takeTurn(95_000)).toBe(true)
      expect(await takeTurn(95_999)).toBe(false)
      expect(await takeTurn(96_000)).toBe(true)
      expect(await takeTurn(95_999)).toBe(false)
      expect(await takeTurn(35_999)).toBe(true)
      expect(await lookRounds.findRound(companyId)).toEqual({ lookedAt: null, problems: [] })
    },
  )
}
