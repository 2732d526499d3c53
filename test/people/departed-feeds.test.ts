/* What several nodes find out at once of somebody who has left is done, noted and told once. */
import { expect, it } from 'vitest'

import { closeBelieved, closeFeeds, openFeeds } from '../../src/people/own-feeds.ts'
import { openStore } from '../../src/store/open-store.ts'
import { departureOf, makeFeed } from '../store/fixtures.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import { databases } from '../support/database/databases.ts'

it.each(databases)(
  'one of several nodes closes and opens the feed of a departed person, on $name',
  async (database) => {
    const store = await openStore(await database.createMigrated())
    const feed = await makeFeed(store)
    const lines: LogLine[] = []
    const node = { ...store, clock: createFakeClock(), log: recordedLog(lines) }
    const departure = departureOf(feed.companyId, feed.userIds[0] ?? '')
    for (const change of [closeFeeds, openFeeds]) {
      await Promise.all([change(node, departure), change(node, departure), change(node, departure)])
    }
    expect(lines.map(({ event }) => event)).toEqual(['feed_closed', 'feed_opened'])
    const entries = await store.audit.listEntries({ feedId: feed.id, limit: 9 })
    expect(entries.map(({ action }) => action).toSorted()).toEqual(['feed_closed', 'feed_opened'])
    await store.close()
  },
)

it.each(databases)(
  'the feed stays open if another node has read meanwhile that the person is back, on $name',
  async (database) => {
    const store = await openStore(await database.createMigrated())
    const feed = await makeFeed(store)
    const node = { ...store, clock: createFakeClock(), log: recordedLog([]) }
    const departure = departureOf(feed.companyId, feed.userIds[0] ?? '')
    const isOpen = async (): Promise<boolean> =>
      (await store.feeds.findFeed(feed.id))?.closedAt === null
    await store.departures.keepDeparture(departure)
    await closeBelieved(node, departure)
    expect(await isOpen()).toBe(false)
    await openFeeds(node, departure)
    await store.departures.forgetDeparture(departure.companyId, departure.userId)
    await closeBelieved(node, departure)
    expect(await isOpen()).toBe(true)
    await store.close()
  },
)

it.each(databases)(
  'the feed of a team goes on without a departed person until they are back, on $name',
  async (database) => {
    const store = await openStore(await database.createMigrated())
    const companyId = 'main'
    for (const id of ['usr_ada', 'usr_bob']) {
      await store.people.seePeople(companyId, [{ id }], 1)
      const user = { id, assignedManagerId: 'usr_mia' }
      await store.people.keepReading(companyId, { userId: id, state: 'active', user, readAt: 2 }, 9)
    }
    const team = { managerId: 'usr_mia', depth: 'all' } as const
    const userIds = ['usr_ada', 'usr_bob']
    const { id } = await makeFeed(store, { companyId, userIds, team, audience: 'others' })
    const members = async () => (await store.feeds.findFeed(id))?.userIds
    const node = { ...store, clock: createFakeClock(), log: recordedLog([]) }
    const departure = { ...departureOf(companyId, 'usr_ada'), leftAt: 3 }
    await store.departures.keepDeparture(departure)
    await closeBelieved(node, departure)
    expect(await members()).toEqual(['usr_bob'])
    await store.departures.forgetDeparture(companyId, 'usr_ada')
    await openFeeds(node, departure)
    expect(await members()).toEqual(userIds)
    await store.close()
  },
)
