import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readOptions } from '../../src/domain/feed-options.ts'
import type { Feed } from '../../src/domain/feed.ts'
import type { Publication } from '../../src/domain/link.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import type { CreateDatabase } from '../support/databases.ts'
import { openStoreNode, type StoreNode } from '../support/store-node.ts'
import { adasFeed, linkTo, uniqueId } from './fixtures.ts'

/** What `FeedStore` promises. */
export function testFeedStore(createDatabase: CreateDatabase): void {
  let store: Store
  let nodes: StoreNode[]

  beforeAll(async () => {
    const url = await createDatabase()
    store = await openStore(url)
    nodes = await Promise.all([openStoreNode(url), openStoreNode(url)])
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await store.close()
  })

  describe('feeds', () => {
    test('a feed is found as it was made', async () => {
      const plain = adasFeed()
      const full = adasFeed({
        audience: 'others',
        userIds: ['usr_ada', 'usr_bob'],
        locale: 'de',
        name: 'Würmer 🐛 & "Co"',
        choices: { hide: ['tasks'], detail: 'absent' },
        revision: 7,
        leavesShown: true,
        revokedAt: 1,
        purged: true,
        closedAt: 253_402_300_799_999,
        closedBecause: 'The person has left.',
      })
      for (const feed of [plain, full]) {
        await store.feeds.createFeed(feed, linkTo(feed))
        expect(await store.feeds.findFeed(feed.id)).toEqual(feed)
      }
    })

    test('an unknown feed is undefined', async () => {
      expect(await store.feeds.findFeed('feed_unknown')).toBeUndefined()
    })

    test('an id that exists is a conflict', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      await expect(store.feeds.createFeed(feed, linkTo(feed))).rejects.toMatchObject({
        name: 'AppError',
        code: 'conflict',
      })
    })

    test('a token that exists is a conflict, and its feed is not made', async () => {
      const [first, second] = [adasFeed(), adasFeed()]
      const link = linkTo(first)
      await store.feeds.createFeed(first, link)
      await expect(
        store.feeds.createFeed(second, linkTo(second, { tokenHash: link.tokenHash })),
      ).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.feeds.findFeed(second.id)).toBeUndefined()
      expect(await store.feeds.listFeeds({ companyId: second.companyId, limit: 9 })).toEqual([])
    })

    test('a change replaces the feed and raises its revision', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const renamed = { ...feed, name: 'Renamed', revokedAt: 5, revision: 2 }
      const change = (kept: Feed): Feed => ({ ...kept, name: 'Renamed', revokedAt: 5 })
      expect(await store.feeds.changeFeed(feed.id, change)).toEqual(renamed)
      expect(await store.feeds.findFeed(feed.id)).toEqual(renamed)
    })

    test('a change that leaves the feed as it is raises nothing; of a feed that is none it is not asked', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      expect(await store.feeds.changeFeed(feed.id, () => null)).toEqual(feed)
      expect(await store.feeds.findFeed(feed.id)).toEqual(feed)
      expect(
        await store.feeds.changeFeed(uniqueId('feed'), () => expect.unreachable()),
      ).toBeUndefined()
    })

    test('of its options those that are set count, and the whole ones follow', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const ownOptions = { leaves: { detail: 'full' as const } }
      const changed = await store.feeds.changeFeed(feed.id, (kept) => ({ ...kept, ownOptions }))
      expect(changed?.options).toEqual(readOptions('own', ownOptions))
      expect(await store.feeds.findFeed(feed.id)).toEqual(changed)
    })

    test('changes made at once by several nodes all count', async () => {
      const feed = adasFeed({ name: '' })
      await store.feeds.createFeed(feed, linkTo(feed))
      for (let round = 1; round <= 30; round += 1) {
        await Promise.all(nodes.map((node) => node.call('feeds', 'changeFeed', feed.id, '+')))
        const made = round * nodes.length
        const name = '+'.repeat(made)
        expect(await store.feeds.findFeed(feed.id)).toMatchObject({ name, revision: 1 + made })
      }
    })

    test('that leaves were shown is never forgotten, and is no change of the feed', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      await store.feeds.markLeavesShown(feed.id)
      expect(await store.feeds.findFeed(feed.id)).toEqual({ ...feed, leavesShown: true })
      await store.feeds.changeFeed(feed.id, () => feed)
      expect(await store.feeds.findFeed(feed.id)).toMatchObject({ leavesShown: true, revision: 2 })
    })
  })

  describe('lists', () => {
    test('are in order of creation, then of the ids by their bytes, page by page', async () => {
      const companyId = uniqueId('company')
      const ids = ['feed_B', 'feed_a', 'feed_C', 'feed_b'].map(uniqueId)
      const feeds = ids.flatMap((id, index) => [
        adasFeed({ id, companyId, createdAt: 2000 }),
        adasFeed({ companyId, createdAt: 3000 - 500 * index }),
      ])
      for (const feed of feeds) await store.feeds.createFeed(feed, linkTo(feed))
      const expected = feeds
        .map(({ id, createdAt }) => ({ id, createdAt }))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))

      const seen: { id: string; createdAt: number }[] = []
      for (let after = null; ;) {
        const page = await store.feeds.listFeeds({ companyId, after, limit: 3 })
        expect(page.length).toBeLessThanOrEqual(3)
        seen.push(...page.map(({ id, createdAt }) => ({ id, createdAt })))
        const last = seen.at(-1)
        if (page.length === 0 || !last) break
        after = last
      }
      expect(seen).toEqual(expected)
    })

    test('are of one company, of one user, or of both', async () => {
      const [company, other] = [uniqueId('company'), uniqueId('company')]
      const [ada, bob] = [uniqueId('usr'), uniqueId('usr')]
      const own = adasFeed({ companyId: company, userIds: [ada], createdAt: 1 })
      const team = adasFeed({ companyId: company, userIds: [bob, ada], createdAt: 2 })
      const elsewhere = adasFeed({ companyId: other, userIds: [ada], createdAt: 3 })
      for (const feed of [own, team, elsewhere]) await store.feeds.createFeed(feed, linkTo(feed))

      expect(await store.feeds.listFeeds({ companyId: company, limit: 9 })).toEqual([own, team])
      expect(await store.feeds.listFeeds({ userId: ada, limit: 9 })).toEqual([own, team, elsewhere])
      expect(await store.feeds.listFeeds({ userId: bob, limit: 9 })).toEqual([team])
      expect(await store.feeds.listFeeds({ companyId: other, userId: ada, limit: 9 })).toEqual([
        elsewhere,
      ])
      expect(await store.feeds.listFeeds({ companyId: other, userId: bob, limit: 9 })).toEqual([])
    })

    test('follow a change of users', async () => {
      const [bob, cleo] = [uniqueId('usr'), uniqueId('usr')]
      const team = adasFeed({ audience: 'others', userIds: ['usr_ada', bob] })
      await store.feeds.createFeed(team, linkTo(team))
      const changed = { ...team, userIds: [cleo, 'usr_ada'], revision: 2 }
      await store.feeds.changeFeed(team.id, () => changed)
      expect(await store.feeds.listFeeds({ userId: bob, limit: 9 })).toEqual([])
      expect(await store.feeds.listFeeds({ userId: cleo, limit: 9 })).toEqual([changed])
    })

    test('take identifiers as they are, whatever stands in them', async () => {
      const userId = `${uniqueId('usr')}'; drop table feeds; -- %_`
      const feed = adasFeed({ userIds: [userId] })
      await store.feeds.createFeed(feed, linkTo(feed))
      expect(await store.feeds.listFeeds({ userId, limit: 9 })).toEqual([feed])
    })
  })

  describe('links', () => {
    test('a token finds its link and its feed, and no other does', async () => {
      const feed = adasFeed()
      const link = linkTo(feed, { createdAt: feed.createdAt + 1 })
      await store.feeds.createFeed(feed, link)
      expect(await store.links.findByTokenHash(link.tokenHash)).toEqual({ feed, link })
      expect(await store.links.findByTokenHash(linkTo(feed).tokenHash)).toBeUndefined()
    })

    test('token hashes come back as plain bytes', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const [link] = await store.links.listLinks([feed.id])
      expect(Object.getPrototypeOf(link?.tokenHash)).toBe(Uint8Array.prototype)
    })

    test('are listed for the feeds asked for, in order of creation', async () => {
      const [one, two] = [adasFeed(), adasFeed()]
      const first = linkTo(one)
      const second = linkTo(one, { label: 'phone', createdAt: one.createdAt + 1 })
      const third = linkTo(two, { createdAt: one.createdAt + 2 })
      await store.feeds.createFeed(one, first)
      await store.feeds.createFeed(two, third)
      await store.links.createLink(second)
      expect(await store.links.listLinks([one.id])).toEqual([first, second])
      expect(await store.links.listLinks([two.id, one.id])).toEqual([first, second, third])
      expect(await store.links.listLinks([])).toEqual([])
    })

    test('an ended one is still found by its token', async () => {
      const feed = adasFeed()
      const link = linkTo(feed)
      await store.feeds.createFeed(feed, link)
      expect(await store.links.endLink(feed.id, 'default', 4000)).toBe(true)
      const found = await store.links.findByTokenHash(link.tokenHash)
      expect(found?.link).toEqual({ ...link, endsAt: 4000, endingSince: 4000 })
      expect(await store.links.endLink(feed.id, 'phone', 4000)).toBe(false)
    })

    test('a label in use is a conflict, also while its end is still to come', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const next = linkTo(feed, { createdAt: feed.createdAt + 10 })
      await expect(store.links.createLink(next)).rejects.toMatchObject({ code: 'conflict' })
      await store.links.endLink(feed.id, 'default', feed.createdAt + 11)
      await expect(store.links.createLink(next)).rejects.toMatchObject({ code: 'conflict' })
    })

    test('the label of an ended one is free again, as often as one likes', async () => {
      const feed = adasFeed()
      const links = [linkTo(feed), linkTo(feed), linkTo(feed)]
      for (const [index, link] of links.entries()) {
        await (index === 0 ? store.feeds.createFeed(feed, link) : store.links.createLink(link))
        await store.links.endLink(feed.id, 'default', feed.createdAt)
      }
      for (const { tokenHash } of links) {
        expect(await store.links.findByTokenHash(tokenHash)).toMatchObject({
          feed: { id: feed.id },
        })
      }
      const labels = (await store.links.listLinks([feed.id])).map(({ label }) => label)
      expect(new Set(labels).size).toBe(3)
      expect(labels.filter((label) => label === 'default')).toHaveLength(1)
    })

    test('of links made at once by several nodes one gets the label', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      for (let round = 0; round < 20; round += 1) {
        const results = await Promise.allSettled(
          nodes.map((node) =>
            node.call('links', 'createLink', linkTo(feed, { label: `phone ${round}` })),
          ),
        )
        expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        const failed = results.find((result) => result.status === 'rejected')
        expect(failed).toMatchObject({ reason: { message: 'conflict' } })
      }
    })

    test('a link to no feed is a conflict', async () => {
      await expect(store.links.createLink(linkTo(adasFeed()))).rejects.toMatchObject({
        code: 'conflict',
      })
    })
  })

  describe('publications', () => {
    const first: Publication = { fingerprint: 'one', etag: 'W/"1"', lastModified: 1000 }
    const second: Publication = { fingerprint: 'two', etag: 'W/"2"', lastModified: 2000 }

    test('replace the one that they were made from, and no other', async () => {
      const feed = adasFeed()
      const link = linkTo(feed)
      await store.feeds.createFeed(feed, link)
      expect(await store.links.savePublication(link, second, first)).toBe(false)
      expect(await store.links.savePublication(link, null, first)).toBe(true)
      expect(await store.links.savePublication(link, null, second)).toBe(false)
      expect(await store.links.savePublication(link, { ...first, etag: 'x' }, second)).toBe(false)
      expect(
        await store.links.savePublication(link, { ...first, lastModified: 1001 }, second),
      ).toBe(false)
      expect(await store.links.savePublication(link, { ...first, fingerprint: 'x' }, second)).toBe(
        false,
      )
      const found = await store.links.findByTokenHash(link.tokenHash)
      expect(found?.link.publication).toEqual(first)
      expect(await store.links.savePublication(link, first, second)).toBe(true)
      expect((await store.links.findByTokenHash(link.tokenHash))?.link.publication).toEqual(second)
    })

    test('of several made at once from the same one, one is stored', async () => {
      const feed = adasFeed()
      const link = linkTo(feed)
      await store.feeds.createFeed(feed, link)
      let before: Publication | null = null
      for (let round = 1; round <= 30; round += 1) {
        const made = nodes.map((_, index): Publication => {
          return { fingerprint: `${round}-${index}`, etag: `W/"${round}"`, lastModified: round }
        })
        const results = await Promise.all(
          nodes.map((node, index) =>
            node.call('links', 'savePublication', link, before, made[index]),
          ),
        )
        expect(results.filter((kept) => kept === true)).toHaveLength(1)
        const found = await store.links.findByTokenHash(link.tokenHash)
        before = found?.link.publication ?? null
        expect(before).toEqual(made[results.indexOf(true)])
      }
    })
  })
}
