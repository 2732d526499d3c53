import { randomBytes } from 'node:crypto'

import { expect, it } from 'vitest'

import { type Creation, creationKeptMs } from '../../src/domain/creation.ts'
import type { FeedWithLink } from '../../src/domain/feed-store.ts'
import { type Feed } from '../../src/domain/feed.ts'
import { adasFeed, linkTo } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `FeedStore` promises of feeds that are made together. */
export function testCreations({ store, nodes }: Stores): void {
  it('any number of feeds is created together', async () => {
    const feeds = several(1201)
    await store.feeds.createFeeds(feeds)
    for (const { feed, link } of [feeds[0]!, feeds[500]!, feeds[1200]!]) {
      expect(await store.links.findByTokenHash(link.tokenHash)).toEqual({ feed, link })
    }
    await store.feeds.createFeeds([])
  })

  it('all or none: with one existing token, no feed is created and no key stored', async () => {
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

  it('a key is used once, by the first node', async () => {
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

  it('a key can be used again after a day', async () => {
    const key = creation()
    await store.feeds.createFeeds(several(1), key)
    const later = { ...key, createdAt: key.createdAt + creationKeptMs }
    await store.feeds.createFeeds(several(1), later)
    expect(await store.feeds.findCreation(key.keyHash)).toEqual(later)
  })

  it('feeds that many nodes create if missing are created once', async () => {
    const feeds = several(3)
    const tries = [0, 1, 0, 1].map((index) => {
      const wanted = feeds.map(({ feed }) => withLink({ ...feed, id: adasFeed().id }))
      return nodes[index]!.call('feeds', 'createMissingFeeds', wanted)
    })
    const made = (await Promise.all(tries)).flatMap((ids) => [...(ids as ReadonlySet<string>)])
    expect(made).toHaveLength(3)
    for (const { feed } of feeds) {
      const { companyId } = feed
      expect(await store.feeds.listFeeds({ companyId, limit: 9 })).toHaveLength(1)
    }
  })
}

function several(count: number): FeedWithLink[] {
  return Array.from({ length: count }, () => withLink(adasFeed()))
}

function withLink(feed: Feed): FeedWithLink {
  return { feed, link: linkTo(feed) }
}

function creation(createdAt = 1000): Creation {
  const keyHash = randomBytes(32).toString('hex')
  return { keyHash, requestHash: 'request', feedIds: ['feed_b', 'feed_a'], createdAt }
}
