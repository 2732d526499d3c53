import { expect, it } from 'vitest'

import type { Feed } from '../../src/domain/feed.ts'
import type { FeedLink } from '../../src/domain/link.ts'
import {
  adasFeed,
  copyBegunAt,
  departureOf,
  linkTo,
  makeFeed,
  ownersOf,
  readingOf,
  uniqueId,
} from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `RetentionStore` promises, and what `FeedStore` tells for it. */
export function testRetention({ store }: Stores): void {
  const { retention } = store

  it('lists open links with full detail, of open feeds of that person', async () => {
    const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
    const full = { leaves: { detail: 'full' as const } }
    const ofPerson = { companyId, userIds: [userId] }
    const team = { audience: 'others', userIds: ['usr_bob', userId] } as const
    const own = await makeFeed(store, { ...ofPerson, ownOptions: full })
    const shown = [own, await makeFeed(store, { ...ofPerson, ...team, ownOptions: full })]
    const lowered = linkTo(own, { label: 'phone', choices: { detail: 'type' } })
    const ending = linkTo(own, { label: 'ending', endsAt: 10, endingSince: 1 })
    for (const link of [lowered, ending]) await store.links.createLink(link)
    await store.links.createLink(linkTo(own, { label: 'ended', endsAt: 9, endingSince: 1 }))
    await makeFeed(store, ofPerson)
    await makeFeed(store, { ...ofPerson, ownOptions: full, revokedAt: 1 })
    await makeFeed(store, { ...ofPerson, ownOptions: full, closedAt: 1 })
    await makeFeed(store, { companyId, ownOptions: full })
    await makeFeed(store, { userIds: [userId], ownOptions: full })
    const found = await store.links.listLinksInFull(companyId, userId, 9)
    const links = await store.links.listLinks(shown.map(({ id }) => id))
    const open = links.filter(({ label }) => label !== 'ended')
    const byHash = (all: readonly FeedLink[]): readonly FeedLink[] =>
      all.toSorted((one, other) => Buffer.compare(one.tokenHash, other.tokenHash))
    expect(byHash(found.map(({ link }) => link))).toEqual(byHash(open))
    expect(new Set(found.map(({ feed }) => feed.id))).toEqual(new Set(shown.map(({ id }) => id)))
  })

  it('the defaults of the company count like options of its feeds', async () => {
    const feed = await makeFeed(store, { ownOptions: {} })
    const { companyId, userIds } = feed
    const userId = userIds[0]!
    const found = async (): Promise<readonly unknown[]> => [
      (await store.links.listLinksInFull(companyId, userId, 9)).length,
      await retention.hasOpenFeed(companyId, { names: 'prj_web' }),
    ]
    expect(await found()).toEqual([0, false])
    const own = { leaves: { detail: 'full' }, tasks: { projectIds: ['prj_web'] } } as const
    const auditEvent = { at: 1, actor: 'admin', action: 'defaults_changed' } as const
    await store.companyDefaults.changeDefaults(
      companyId,
      (before) => ({ ...before, own }),
      auditEvent,
    )
    expect(await found()).toEqual([1, true])
  })

  it('copies of leaves with reasons are listed until they are stored without', async () => {
    const connectionId = uniqueId('connection')
    const { records, ...head } = copyBegunAt(1000, { withReasons: true })
    const listed = async (): Promise<readonly string[]> =>
      (await retention.listCopiesWithReasons())
        .filter((copy) => copy.connectionId === connectionId)
        .map(({ key }) => key)
    await store.copies.keepCopy(connectionId, { ...head, records })
    await store.copies.keepCopy(connectionId, copyBegunAt(1000, { key: 'leaves:usr_bob' }))
    expect(await listed()).toEqual(['leaves:usr_ada'])
    const { withReasons: _, ...without } = head
    await store.copies.keepCopy(connectionId, { ...without, records })
    expect(await listed()).toEqual([])
  })

  it('old copies are those last confirmed before the instant', async () => {
    const connectionId = uniqueId('connection')
    const [old, recent] = [copyBegunAt(1000), copyBegunAt(2000, { key: 'leaves:usr_bob' })]
    for (const copy of [old, recent]) await store.copies.keepCopy(connectionId, copy)
    const listed = await retention.listCopiesBefore(recent.fetchedAt)
    expect(listed.filter((copy) => copy.connectionId === connectionId)).toEqual([
      { connectionId, key: old.key },
    ])
  })

  it('tells whether a company has an open feed, one with a person, or one that names an id', async () => {
    const companyId = uniqueId('company')
    const ownOptions = { tasks: { projectIds: ['prj "web"'] } }
    const feed = await makeFeed(store, { companyId, userIds: ['usr_ada'], ownOptions })
    const answers = (): Promise<readonly boolean[]> =>
      Promise.all(
        [
          {},
          { userId: 'usr_ada' },
          { userId: 'usr_bob' },
          { names: 'prj "web"' },
          { names: 'web' },
        ].map((use) => retention.hasOpenFeed(companyId, use)),
      )
    expect(await answers()).toEqual([true, true, false, true, false])
    expect(await retention.hasOpenFeed(uniqueId('company'), {})).toBe(false)
    await store.feeds.changeFeed(feed.id, (kept) => ({ ...kept, closedAt: 1 }))
    expect(await answers()).toEqual([false, false, false, false, false])
  })

  it('a purged copy of leaves removes their claims, except what others claim too', async () => {
    const connectionId = uniqueId('connection')
    await store.copies.keepCopy(connectionId, copyBegunAt(1000))
    for (const reading of [
      readingOf('usr_ada', { present: ['lv_1', 'lv_2'] }),
      readingOf('usr_bob', { present: ['lv_2', 'lv_3'] }),
    ]) {
      await store.proofs.noteReading(connectionId, reading)
    }
    await retention.purgeCopy({ connectionId, key: 'leaves:usr_ada' })
    expect(await store.copies.findCopy(connectionId, 'leaves:usr_ada')).toBeUndefined()
    const owners = ['lv_1', 'lv_2', 'lv_3'].map((id) => ownersOf(store, connectionId, id))
    expect(await Promise.all(owners)).toEqual([[], ['usr_ada'], ['usr_bob']])
    const disputed = await store.proofs.listDisputed(connectionId, 9)
    expect(disputed.map(({ userId }) => userId)).toEqual(['usr_ada', 'usr_bob'])
  })

  it('any other purged copy removes nothing else', async () => {
    const connectionId = uniqueId('connection')
    await store.copies.keepCopy(connectionId, copyBegunAt(1000, { key: 'user:usr_ada' }))
    const reading = readingOf('usr_ada', { present: ['lv_1'] })
    await store.proofs.noteReading(connectionId, reading)
    await retention.purgeCopy({ connectionId, key: 'user:usr_ada' })
    expect(await store.copies.findCopy(connectionId, 'user:usr_ada')).toBeUndefined()
    expect(await ownersOf(store, connectionId, 'lv_1')).toEqual(['usr_ada'])
  })

  it('departures are purged for people in no unrevoked feed and not in the directory', async () => {
    const gone = await makeFeed(store, { userIds: ['usr_gone'] })
    const kept = await makeFeed(store, { userIds: ['usr_kept'], closedAt: 1 })
    const known = await makeFeed(store, { userIds: ['usr_known'] })
    for (const { companyId, userIds } of [gone, kept, known]) {
      await store.departures.keepDeparture(departureOf(companyId, userIds[0] ?? ''))
    }
    await store.people.seePeople(known.companyId, [{ id: 'usr_known' }], 1)
    for (const { id } of [gone, known]) {
      await store.feeds.changeFeed(id, (feed) => ({ ...feed, revokedAt: 1 }))
    }
    await retention.purgeDepartures()
    const find = (feed: Feed): Promise<unknown> =>
      store.departures.findDeparture(feed.companyId, feed.userIds[0] ?? '')
    expect(await find(gone)).toBeUndefined()
    expect(await find(kept)).toBeDefined()
    expect(await find(known)).toBeDefined()
  })

  it('ledgers of links or feeds that ended before are purged and counted', async () => {
    const feeds = [
      adasFeed({ revokedAt: 9 }),
      adasFeed({ closedAt: 4 }),
      adasFeed({ closedAt: 6, revokedAt: 9 }),
      adasFeed({ closedAt: 5 }),
      adasFeed({ revokedAt: 10 }),
      adasFeed(),
      adasFeed(),
      adasFeed(),
    ]
    const ends = [null, null, null, null, null, null, 4, 5]
    const links = feeds.map((feed, index) => linkTo(feed, { endsAt: ends[index] ?? null }))
    for (const [index, link] of links.entries()) {
      await store.feeds.createFeed(feeds[index]!, link)
      await store.ledgers.saveLedger(link, { version: 0, entries: new Map() })
    }
    expect(await retention.purgeLedgers({ revokedBefore: 10, closedBefore: 5 })).toBe(4)
    const versions = links.map(async (link) => (await store.ledgers.findLedger(link)).version)
    expect(await Promise.all(versions)).toEqual([0, 0, 0, 1, 1, 1, 0, 1])
  })
}
