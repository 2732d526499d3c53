import { describe, expect, it } from 'vitest'

import type { Departure, RecentDepartures } from '../../src/domain/departure.ts'
import type { Feed } from '../../src/domain/feed.ts'
import { departureOf, makeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `DepartureStore` promises. */
export function testDepartures({ store, nodes }: Stores): void {
  const { departures } = store

  /** Of someone in a feed. */
  async function keepDeparture(changes: Partial<Departure> = {}): Promise<Departure> {
    const departure = { ...departureOf(uniqueId('company'), uniqueId('usr')), ...changes }
    await makeFeed(store, { companyId: departure.companyId, userIds: [departure.userId] })
    await departures.keepDeparture(departure)
    return departure
  }

  async function recentDepartures(companyId: string, since: number): Promise<RecentDepartures> {
    const { promise, resolve } = Promise.withResolvers<RecentDepartures>()
    const judge = (recent: RecentDepartures): { readonly clear: readonly string[] } => {
      resolve(recent)
      return { clear: [] }
    }
    await departures.decide(companyId, { since, now: since, judge })
    return promise
  }

  async function holdBack(companyId: string, since: number): Promise<void> {
    const decided = await departures.decide(companyId, {
      since,
      now: since,
      judge: () => 'hold back',
    })
    expect(decided).toEqual({ isHeldBack: true, believed: [] })
  }

  it('a departure is found as last read until it is forgotten', async () => {
    const departure = await keepDeparture()
    const { companyId, userId } = departure
    expect(await departures.findDeparture(companyId, userId)).toEqual(departure)
    const read = { because: 'user_missing', since: 6, readAt: 7 } as const
    await departures.keepDeparture({ ...departure, ...read, leftAt: 8, isHeldBack: true })
    expect(await departures.findDeparture(companyId, userId)).toEqual({ ...departure, ...read })
    expect(await departures.findDeparture(uniqueId('company'), userId)).toBeUndefined()
    await departures.forgetDeparture(companyId, userId)
    expect(await departures.findDeparture(companyId, userId)).toBeUndefined()
  })

  it('nothing is stored about a person in neither a feed nor the directory', async () => {
    const departure = departureOf(uniqueId('company'), uniqueId('usr'))
    const { companyId, userId } = departure
    await departures.keepDeparture(departure)
    expect(await departures.findDeparture(companyId, userId)).toBeUndefined()
    await store.people.seePeople(uniqueId('company'), [{ id: userId }], 1)
    await departures.keepDeparture(departure)
    expect(await departures.findDeparture(companyId, userId)).toBeUndefined()
    await store.people.seePeople(companyId, [{ id: userId }], 1)
    await departures.keepDeparture(departure)
    expect(await departures.findDeparture(companyId, userId)).toEqual(departure)
  })

  it('a person who left is distinguished from one who may have', async () => {
    const companyId = uniqueId('company')
    const may = await keepDeparture({ companyId })
    const left = await keepDeparture({ companyId })
    expect(await departures.believeDeparture(left, 9)).toBe(true)
    const ids = [may, left].map(({ userId }) => userId)
    expect(await departures.listLeft(companyId, ids)).toEqual([left.userId])
    expect(await departures.listLeft(uniqueId('company'), ids)).toEqual([])
    expect(await departures.findDeparture(companyId, left.userId)).toEqual({ ...left, leftAt: 9 })
  })

  it('departures of one day are held back together, except believed ones', async () => {
    const companyId = uniqueId('company')
    const earlier = await keepDeparture({ companyId, since: 4 })
    const believed = await keepDeparture({ companyId, since: 5 })
    const other = await keepDeparture({ companyId, since: 6 })
    await departures.believeDeparture(believed, 7)
    await holdBack(companyId, 5)
    expect(await departures.findDeparture(companyId, other.userId)).toEqual({
      ...other,
      isHeldBack: true,
    })
    expect(await departures.listUndecided(companyId)).toEqual([earlier])
    const ids = [earlier, believed, other].map(({ userId }) => userId)
    expect(await departures.listLeft(companyId, ids)).toEqual([believed.userId])
    expect(await departures.heldBackShare(companyId)).toEqual({ people: 2, leaving: 1 })
    expect(await departures.believeDeparture(other, 8)).toBe(false)
    expect(await departures.believeDeparture({ ...other, isHeldBack: true }, 8)).toBe(true)
    expect(await departures.findDeparture(companyId, other.userId)).toEqual({ ...other, leftAt: 8 })
    expect(await departures.heldBackShare(companyId)).toEqual({ people: 1, leaving: 0 })
  })

  it('of cleared departures, inactive people are believed at once; missing ones stay cleared until the reason changes', async () => {
    const companyId = uniqueId('company')
    const inactive = await keepDeparture({ companyId })
    const missing = await keepDeparture({ companyId, because: 'user_missing' })
    const open = await keepDeparture({ companyId })
    const clear = [inactive.userId, missing.userId, uniqueId('usr')]
    const decide = () =>
      departures.decide(companyId, { since: 0, now: 9, judge: () => ({ clear }) })
    const left = { ...inactive, leftAt: 9, isCleared: true }
    expect(await decide()).toEqual({ isHeldBack: false, believed: [left] })
    expect(await decide()).toEqual({ isHeldBack: false, believed: [] })
    expect(await departures.findDeparture(companyId, inactive.userId)).toEqual(left)
    const isCleared = async (): Promise<unknown> =>
      (await departures.findDeparture(companyId, missing.userId))?.isCleared
    expect(await departures.listUndecided(companyId)).toEqual([open])
    await departures.keepDeparture({ ...missing, readAt: 10 })
    expect(await isCleared()).toBe(true)
    await departures.keepDeparture({ ...missing, because: 'user_inactive', readAt: 11 })
    expect(await isCleared()).toBe(false)
  })

  it('departed people are listed with the open feeds of their own company that still name them', async () => {
    const [companyId, other] = [uniqueId('company'), uniqueId('company')]
    const left = departureOf(companyId, uniqueId('usr'))
    const leaving = departureOf(companyId, uniqueId('usr'))
    const userIds = [left.userId, leaving.userId]
    const feeds = [
      { companyId },
      { companyId, revokedAt: 5 },
      { companyId, closedAt: 5 },
      { companyId: other },
    ]
    const made = []
    for (const changes of feeds) made.push(await makeFeed(store, { userIds, ...changes }))
    for (const departure of [left, leaving]) await departures.keepDeparture(departure)
    await departures.believeDeparture(left, 8)
    const member = { userId: left.userId, feedId: made[0]?.id }
    expect(await departures.listLeftInFeeds(companyId, 9)).toEqual([member])
    expect(await departures.listLeftInFeeds(companyId, 0)).toEqual([])
    expect(await departures.listLeftInFeeds(other, 9)).toEqual([])
  })

  describe('choosing a departure to read', () => {
    it('takes the person who was requested longest ago, and marks the request', async () => {
      const companyId = uniqueId('company')
      const recent = await keepDeparture({ companyId, readAt: 20 })
      const old = await keepDeparture({ companyId, readAt: 10 })
      const take = (): Promise<Departure | undefined> =>
        departures.takeDepartureToRead(companyId, 30, 40)
      expect(await take()).toEqual({ ...old, readAt: 40 })
      expect(await take()).toEqual({ ...recent, readAt: 40 })
      expect(await take()).toBeUndefined()
      expect(await departures.findDeparture(companyId, old.userId)).toEqual({ ...old, readAt: 40 })
    })

    it('takes a person whose last request has a time in the future', async () => {
      const { companyId, ...ahead } = await keepDeparture({ readAt: 60_041 })
      const taken = await departures.takeDepartureToRead(companyId, 30, 40)
      expect(taken).toEqual({ companyId, ...ahead, readAt: 40 })
    })

    it('skips people who are left only in revoked feeds', async () => {
      const { companyId, userId } = await keepDeparture()
      const [feed] = await store.feeds.listFeeds({ companyId, limit: 1 })
      await store.feeds.changeFeed(feed!.id, (kept) => ({ ...kept, revokedAt: 1 }))
      expect(await departures.takeDepartureToRead(companyId, 30, 40)).toBeUndefined()
      expect(await departures.findDeparture(companyId, userId)).toBeDefined()
    })

    it('gives each departure to one node only', async () => {
      const companyId = uniqueId('company')
      const kept = await Promise.all(Array.from({ length: 20 }, () => keepDeparture({ companyId })))
      const taking = Array.from({ length: 40 }, (_, index) =>
        nodes[index % 2]!.call('departures', 'takeDepartureToRead', companyId, 30, 40),
      )
      const taken = (await Promise.all(taking)) as (Departure | undefined)[]
      const userIds = taken.flatMap((one) => (one ? [one.userId] : []))
      expect(userIds.toSorted()).toEqual(kept.map(({ userId }) => userId).toSorted())
    })
  })

  it('recent departures are counted among known people and among people in feeds', async () => {
    const companyId = uniqueId('company')
    const inFeed = (changes: Partial<Feed>): Promise<Feed> =>
      makeFeed(store, { companyId, ...changes })
    await inFeed({ userIds: ['usr_1', 'usr_2'], audience: 'others' })
    await inFeed({ userIds: ['usr_2'] })
    await inFeed({ userIds: ['usr_3'], closedAt: 10 })
    await inFeed({ userIds: ['usr_4'], revokedAt: 1 })
    const seen = ['usr_2', 'usr_5', 'usr_6', 'usr_7'].map((id) => ({ id }))
    await store.people.seePeople(companyId, seen, 1)
    for (const userId of ['usr_2', 'usr_3', 'usr_5']) {
      await departures.keepDeparture({ ...departureOf(companyId, userId), since: 10 })
    }
    const wasGone = { ...departureOf(companyId, 'usr_6'), since: 11, wasHere: false }
    await departures.keepDeparture(wasGone)
    const before = { ...departureOf(companyId, 'usr_7'), since: 9 }
    await departures.keepDeparture(before)
    expect(await recentDepartures(companyId, 10)).toEqual({
      known: { people: 6, leaving: 4 },
      wereHere: 3,
      heldBack: 0,
      inFeeds: { people: 3, leaving: 2 },
    })
    await departures.believeDeparture(before, 12)
    expect(await recentDepartures(companyId, 10)).toMatchObject({
      known: { people: 5, leaving: 4 },
    })
    const nobody = { people: 0, leaving: 0 }
    expect(await recentDepartures(uniqueId('company'), 10)).toEqual({
      known: nobody,
      wereHere: 0,
      heldBack: 0,
      inFeeds: nobody,
    })
    await holdBack(companyId, 11)
    expect(await recentDepartures(companyId, 10)).toMatchObject({ heldBack: 1 })
  })

  it('counts members of feeds that are not revoked', async () => {
    const companyId = uniqueId('company')
    await makeFeed(store, { companyId, userIds: ['usr_1'], closedAt: 1 })
    await makeFeed(store, { companyId, userIds: ['usr_2'], revokedAt: 1 })
    expect(await departures.isInFeed(companyId, 'usr_1')).toBe(true)
    expect(await departures.isInFeed(companyId, 'usr_2')).toBe(false)
    expect(await departures.isInFeed(uniqueId('company'), 'usr_1')).toBe(false)
  })

  it('people who stay count once each: in an open feed and not known to leave', async () => {
    const companyId = uniqueId('company')
    for (const id of ['a', 'b', 'c', 'd']) await makeFeed(store, { companyId, userIds: [id] })
    await makeFeed(store, { companyId, userIds: ['a', 'e'], audience: 'others' })
    await makeFeed(store, { companyId, userIds: ['revoked'], revokedAt: 1 })
    await makeFeed(store, { companyId, userIds: ['closed'], closedAt: 1 })
    await makeFeed(store, { userIds: ['of another company'] })
    await departures.keepDeparture(departureOf(companyId, 'd'))
    const staying = await departures.listStaying(companyId, 9)
    expect(staying.toSorted()).toEqual(['a', 'b', 'c', 'e'])
    expect(await departures.listStaying(companyId, 3)).toHaveLength(3)
  })

  it('the own feeds of a person include closed but not revoked ones', async () => {
    const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
    const own = await makeFeed(store, { companyId, userIds: [userId] })
    const closed = await makeFeed(store, { companyId, userIds: [userId], closedAt: 1 })
    await makeFeed(store, { companyId, userIds: [userId], revokedAt: 1 })
    await makeFeed(store, { companyId, userIds: [userId], audience: 'others' })
    await makeFeed(store, { userIds: [userId] })
    const found = await departures.listOwnFeeds(companyId, userId)
    expect(found.map(({ id }) => id).toSorted()).toEqual([own.id, closed.id].toSorted())
  })
}
