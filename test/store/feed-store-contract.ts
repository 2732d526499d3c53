import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Publication } from '../../src/domain/feed.ts'
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

    test('a change replaces the feed, from its own revision only', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const renamed = { ...feed, name: 'Renamed', revokedAt: 5, revision: 2 }
      expect(await store.feeds.updateFeed(renamed)).toBe(true)
      expect(await store.feeds.updateFeed({ ...renamed, name: 'Too late' })).toBe(false)
      expect(await store.feeds.findFeed(feed.id)).toEqual(renamed)
    })

    test('of changes made at once by several nodes one succeeds', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      for (let revision = 2; revision < 32; revision += 1) {
        const results = await Promise.all(
          nodes.map((node, index) =>
            node.call('feeds', 'updateFeed', { ...feed, name: `by ${index}`, revision }),
          ),
        )
        expect(results.filter((kept) => kept === true)).toHaveLength(1)
        const name = `by ${results.indexOf(true)}`
        expect(await store.feeds.findFeed(feed.id)).toMatchObject({ name, revision })
      }
    })

    test('that leaves were shown is never forgotten, and is no change of the feed', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      await store.feeds.markLeavesShown(feed.id)
      expect(await store.feeds.findFeed(feed.id)).toEqual({ ...feed, leavesShown: true })
      await store.feeds.updateFeed({ ...feed, revision: 2 })
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
      await store.feeds.updateFeed(changed)
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
      expect(await store.feeds.findByTokenHash(link.tokenHash)).toEqual({ feed, link })
      expect(await store.feeds.findByTokenHash(linkTo(feed).tokenHash)).toBeUndefined()
    })

    test('token hashes come back as plain bytes', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const [link] = await store.feeds.listLinks([feed.id])
      expect(Object.getPrototypeOf(link?.tokenHash)).toBe(Uint8Array.prototype)
    })

    test('are listed for the feeds asked for, in order of creation', async () => {
      const [one, two] = [adasFeed(), adasFeed()]
      const first = linkTo(one)
      const second = linkTo(one, { label: 'phone', createdAt: one.createdAt + 1 })
      const third = linkTo(two, { createdAt: one.createdAt + 2 })
      await store.feeds.createFeed(one, first)
      await store.feeds.createFeed(two, third)
      await store.feeds.createLink(second)
      expect(await store.feeds.listLinks([one.id])).toEqual([first, second])
      expect(await store.feeds.listLinks([two.id, one.id])).toEqual([first, second, third])
      expect(await store.feeds.listLinks([])).toEqual([])
    })

    test('an ended one is still found by its token', async () => {
      const feed = adasFeed()
      const link = linkTo(feed)
      await store.feeds.createFeed(feed, link)
      expect(await store.feeds.endLink(feed.id, 'default', 4000)).toBe(true)
      const found = await store.feeds.findByTokenHash(link.tokenHash)
      expect(found?.link).toEqual({ ...link, endsAt: 4000, endingSince: 4000 })
      expect(await store.feeds.endLink(feed.id, 'phone', 4000)).toBe(false)
    })

    test('a label in use is a conflict, also while its end is still to come', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const next = linkTo(feed, { createdAt: feed.createdAt + 10 })
      await expect(store.feeds.createLink(next)).rejects.toMatchObject({ code: 'conflict' })
      await store.feeds.endLink(feed.id, 'default', feed.createdAt + 11)
      await expect(store.feeds.createLink(next)).rejects.toMatchObject({ code: 'conflict' })
    })

    test('the label of an ended one is free again, as often as one likes', async () => {
      const feed = adasFeed()
      const links = [linkTo(feed), linkTo(feed), linkTo(feed)]
      for (const [index, link] of links.entries()) {
        await (index === 0 ? store.feeds.createFeed(feed, link) : store.feeds.createLink(link))
        await store.feeds.endLink(feed.id, 'default', feed.createdAt)
      }
      for (const { tokenHash } of links) {
        expect(await store.feeds.findByTokenHash(tokenHash)).toMatchObject({
          feed: { id: feed.id },
        })
      }
      const labels = (await store.feeds.listLinks([feed.id])).map(({ label }) => label)
      expect(new Set(labels).size).toBe(3)
      expect(labels.filter((label) => label === 'default')).toHaveLength(1)
    })

    test('of links made at once by several nodes one gets the label', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      for (let round = 0; round < 20; round += 1) {
        const results = await Promise.allSettled(
          nodes.map((node) =>
            node.call('feeds', 'createLink', linkTo(feed, { label: `phone ${round}` })),
          ),
        )
        expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        const failed = results.find((result) => result.status === 'rejected')
        expect(failed).toMatchObject({ reason: { message: 'conflict' } })
      }
    })

    test('a link to no feed is a conflict', async () => {
      await expect(store.feeds.createLink(linkTo(adasFeed()))).rejects.toMatchObject({
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
      expect(await store.feeds.savePublication(link, second, first)).toBe(false)
      expect(await store.feeds.savePublication(link, null, first)).toBe(true)
      expect(await store.feeds.savePublication(link, null, second)).toBe(false)
      expect(await store.feeds.savePublication(link, { ...first, etag: 'x' }, second)).toBe(false)
      expect(
        await store.feeds.savePublication(link, { ...first, lastModified: 1001 }, second),
      ).toBe(false)
      expect(await store.feeds.savePublication(link, { ...first, fingerprint: 'x' }, second)).toBe(
        false,
      )
      const found = await store.feeds.findByTokenHash(link.tokenHash)
      expect(found?.link.publication).toEqual(first)
      expect(await store.feeds.savePublication(link, first, second)).toBe(true)
      expect((await store.feeds.findByTokenHash(link.tokenHash))?.link.publication).toEqual(second)
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
            node.call('feeds', 'savePublication', link, before, made[index]),
          ),
        )
        expect(results.filter((kept) => kept === true)).toHaveLength(1)
        const found = await store.feeds.findByTokenHash(link.tokenHash)
        before = found?.link.publication ?? null
        expect(before).toEqual(made[results.indexOf(true)])
      }
    })
  })
}
