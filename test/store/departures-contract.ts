import { describe, expect, it } from 'vitest'

import type { Departure } from '../../src/domain/departure.ts'
import type { Feed } from '../../src/domain/feed.ts'
import { makeFeed, uniqueId } from './fixtures.ts'
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

  it('a departure is found as it was kept last, until it is forgotten', async () => {
    const departure = await keepDeparture()
    const { companyId, userId } = departure
    expect(await departures.findDeparture(companyId, userId)).toEqual(departure)
    const believed = { ...departure, because: 'user_missing', readAt: 7, leftAt: 8 } as const
    await departures.keepDeparture(believed)
    expect(await departures.findDeparture(companyId, userId)).toEqual(believed)
    expect(await departures.findDeparture(uniqueId('company'), userId)).toBeUndefined()
    await departures.forgetDeparture(companyId, userId)
    expect(await departures.findDeparture(companyId, userId)).toBeUndefined()
  })

  it('nothing is kept of someone in no feed', async () => {
    const departure = departureOf(uniqueId('company'), uniqueId('usr'))
    await departures.keepDeparture(departure)
    expect(await departures.findDeparture(departure.companyId, departure.userId)).toBeUndefined()
  })

  it('who has left is told from who only may have, and by when', async () => {
    const companyId = uniqueId('company')
    const may = await keepDeparture({ companyId })
    const [early, late] = [
      await keepDeparture({ companyId, leftAt: 5 }),
      await keepDeparture({ companyId, leftAt: 9 }),
    ]
    const ids = [may, early, late].map(({ userId }) => userId)
    expect(new Set(await departures.listLeft(companyId, ids))).toEqual(
      new Set([early.userId, late.userId]),
    )
    expect(await departures.listLeft(companyId, [late.userId])).toEqual([late.userId])
    expect(await departures.listLeft(uniqueId('company'), ids)).toEqual([])
    expect(await departures.listLeftSince(companyId, 6)).toEqual([late])
    expect(await departures.listLeftSince(companyId, 9)).toEqual([late])
  })

  describe('taking one to read', () => {
    it('gives who was asked for longest ago, and notes that they are asked for now', async () => {
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

    it('leaves out people of whom only revoked feeds are left', async () => {
      const { companyId, userId } = await keepDeparture()
      const [feed] = await store.feeds.listFeeds({ companyId, limit: 1 })
      await store.feeds.changeFeed(feed!.id, (kept) => ({ ...kept, revokedAt: 1 }))
      expect(await departures.takeDepartureToRead(companyId, 30, 40)).toBeUndefined()
      expect(await departures.findDeparture(companyId, userId)).toBeDefined()
    })

    it('gives each to one node alone', async () => {
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

  it('its share is of the people in feeds that are open or were closed lately', async () => {
    const companyId = uniqueId('company')
    const inFeed = (changes: Partial<Feed>): Promise<Feed> =>
      makeFeed(store, { companyId, ...changes })
    await inFeed({ userIds: ['usr_1', 'usr_2'], audience: 'others' })
    await inFeed({ userIds: ['usr_2'] })
    await inFeed({ userIds: ['usr_3'], closedAt: 10 })
    await inFeed({ userIds: ['usr_4'], closedAt: 9 })
    await inFeed({ userIds: ['usr_5'], revokedAt: 1 })
    await departures.keepDeparture(departureOf(companyId, 'usr_2'))
    await departures.keepDeparture({ ...departureOf(companyId, 'usr_3'), leftAt: 10 })
    expect(await departures.shareOfDepartures(companyId, 10)).toEqual({ people: 3, leaving: 2 })
    await departures.keepDeparture({ ...departureOf(companyId, 'usr_2'), leftAt: 9 })
    expect(await departures.shareOfDepartures(companyId, 10)).toEqual({ people: 2, leaving: 1 })
    expect(await departures.shareOfDepartures(uniqueId('company'), 10)).toEqual({
      people: 0,
      leaving: 0,
    })
  })

  it('neighbours are the next ones by id, from the first on where there are no more', async () => {
    const companyId = uniqueId('company')
    for (const id of ['a', 'b', 'c', 'd', 'e']) await makeFeed(store, { companyId, userIds: [id] })
    await makeFeed(store, { companyId, userIds: ['revoked'], revokedAt: 1 })
    await makeFeed(store, { companyId, userIds: ['closed'], closedAt: 1 })
    await departures.keepDeparture(departureOf(companyId, 'd'))
    expect(await departures.listNeighbours(companyId, 'b', 2)).toEqual(['c', 'e'])
    expect(await departures.listNeighbours(companyId, 'c', 3)).toEqual(['e', 'a', 'b'])
    expect(await departures.listNeighbours(companyId, 'e', 9)).toEqual(['a', 'b', 'c'])
  })

  it('the own feeds of someone are those about them that are not revoked, closed ones as well', async () => {
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

function departureOf(companyId: string, userId: string): Departure {
  return { companyId, userId, because: 'user_inactive', since: 1, readAt: 2, leftAt: null }
}
