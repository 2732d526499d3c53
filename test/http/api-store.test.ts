import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/* What administration asks of the store, on both databases. */
import { creationKeptMs, type FeedWithLink } from '../../src/domain/feed.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { adasFeed, linkTo } from '../store/fixtures.ts'
import { databases } from '../support/databases.ts'
import { openStoreNode, type StoreNode } from '../support/store-node.ts'

describe.each(databases)('on $name', ({ create }) => {
  let store: Store
  let nodes: readonly StoreNode[]

  beforeAll(async () => {
    const url = await create()
    store = await openStore(url)
    nodes = await Promise.all([openStoreNode(url), openStoreNode(url)])
  })

  afterAll(async () => {
    await store.close()
    await Promise.all(nodes.map((node) => node.close()))
  })

  function withId(like: ReturnType<typeof adasFeed>): FeedWithLink {
    const feed = { ...like, id: adasFeed().id }
    return { feed, link: linkTo(feed) }
  }

  function several(
    count: number,
  ): { feed: ReturnType<typeof adasFeed>; link: ReturnType<typeof linkTo> }[] {
    return Array.from({ length: count }, () => {
      const feed = adasFeed()
      return { feed, link: linkTo(feed) }
    })
  }

  function creation(createdAt = 1000): {
    keyHash: string
    requestHash: string
    feedIds: string[]
    createdAt: number
  } {
    const keyHash = randomBytes(32).toString('hex')
    return { keyHash, requestHash: 'request', feedIds: ['feed_b', 'feed_a'], createdAt }
  }

  test('any number of feeds is made together', async () => {
    const feeds = several(1201)
    await store.feeds.createFeeds(feeds)
    for (const { feed, link } of [feeds[0]!, feeds[500]!, feeds[1200]!]) {
      expect(await store.links.findByTokenHash(link.tokenHash)).toEqual({ feed, link })
    }
    await store.feeds.createFeeds([])
  })

  test('all or none: one token that exists, and no feed is made, no key noted', async () => {
    const [first, second, third] = several(3)
    await store.feeds.createFeeds([first!])
    const twice = { ...third!, link: { ...third!.link, tokenHash: first!.link.tokenHash } }
    const key = creation()
    await expect(store.feeds.createFeeds([second!, twice], key)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await store.feeds.findFeed(second!.feed.id)).toBeUndefined()
    expect(await store.feeds.findCreation(key.keyHash)).toBeUndefined()
  })

  test('a key is used once, by whichever node comes first', async () => {
    const key = creation()
    const attempts = several(2)
    const results = await Promise.allSettled(
      nodes.map((node, index) => node.call('feeds', 'createFeeds', [attempts[index]!], key)),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const failed = results.find(({ status }) => status === 'rejected')
    expect(failed).toMatchObject({ reason: { message: 'conflict' } })
    const found = await Promise.all(attempts.map(({ feed }) => store.feeds.findFeed(feed.id)))
    expect(found.filter((feed) => feed !== undefined)).toHaveLength(1)
    expect(await store.feeds.findCreation(key.keyHash)).toEqual(key)
  })

  test('a key is free again after a day', async () => {
    const key = creation()
    await store.feeds.createFeeds(several(1), key)
    const later = { ...key, createdAt: key.createdAt + creationKeptMs }
    await store.feeds.createFeeds(several(1), later)
    expect(await store.feeds.findCreation(key.keyHash)).toEqual(later)
  })

  test('of feeds that many nodes make where they are missing each is made once', async () => {
    const feeds = several(3)
    const tries = [0, 1, 0, 1].map((index) => {
      const wanted = feeds.map(({ feed }) => withId(feed))
      return nodes[index]!.call('feeds', 'createMissingFeeds', wanted)
    })
    const made = (await Promise.all(tries)).flatMap((ids) => [...(ids as ReadonlySet<string>)])
    expect(made).toHaveLength(3)
    for (const { feed } of feeds) {
      const { companyId } = feed
      expect(await store.feeds.listFeeds({ companyId, limit: 9 })).toHaveLength(1)
    }
  })

  test('rotations at once follow each other: one link has the label, all others end', async () => {
    const [{ feed, link }] = several(1) as [ReturnType<typeof several>[number]]
    await store.feeds.createFeed(feed, link)
    const links = Array.from({ length: 8 }, (_, index) =>
      linkTo(feed, { createdAt: feed.createdAt + index }),
    )
    const rotated = await Promise.all(
      links.map((it, index) =>
        nodes[index % 2]!.call('links', 'rotateLink', it, { label: 'old', endsAt: 9e12 }),
      ),
    )
    expect(rotated).toEqual(links.map(() => true))
    const kept = await store.links.listLinks([feed.id])
    expect(kept).toHaveLength(9)
    expect(new Set(kept.map(({ label }) => label)).size).toBe(9)
    expect(kept.filter(({ endsAt }) => endsAt === null)).toMatchObject([{ label: 'default' }])
  })

  test('a rotated link keeps an end that comes earlier, and its publication', async () => {
    const feed = adasFeed()
    const publication = { fingerprint: 'f', etag: 'W/"1"', lastModified: 1000 }
    const link = linkTo(feed, { publication })
    await store.feeds.createFeed(feed, link)
    await store.links.endLink(feed.id, 'default', 5000, true)
    const next = linkTo(feed, { createdAt: 4000 })
    expect(await store.links.rotateLink(next, { label: 'old', endsAt: 9000 })).toBe(true)
    const old = await store.links.findByTokenHash(link.tokenHash)
    expect(old?.link).toEqual({
      ...link,
      label: 'old',
      endsAt: 5000,
      endingSince: 5000,
      purged: true,
    })
    expect((await store.links.findByTokenHash(next.tokenHash))?.link).toEqual(next)
    const missing = linkTo(feed, { label: 'phone' })
    expect(await store.links.rotateLink(missing, { label: 'old', endsAt: 9000 })).toBe(false)
  })

  test('feeds are found by name and by whether they go on', async () => {
    const feed = adasFeed({ name: 'A' })
    const revoked = adasFeed({ ...feed, id: `${feed.id}x`, revokedAt: 7 })
    const named = adasFeed({ ...feed, id: `${feed.id}y`, name: 'B' })
    for (const it of [feed, revoked, named]) await store.feeds.createFeed(it, linkTo(it))
    const { companyId } = feed
    const find = async (filter: object): Promise<string[]> =>
      (await store.feeds.listFeeds({ companyId, limit: 9, ...filter })).map(({ id }) => id)
    expect(await find({ name: 'A' })).toEqual([feed.id, revoked.id])
    expect(await find({ unrevoked: true })).toEqual([feed.id, named.id])
    expect(await find({ name: 'A', unrevoked: true, userId: feed.userIds[0] })).toEqual([feed.id])
  })
})
