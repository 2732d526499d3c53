import { expect, inject, it } from 'vitest'

import type { LinkPolls } from '../../src/domain/activity.ts'
import type { Feed } from '../../src/domain/feed.ts'
import { adasFeed, linkTo, removeFeed } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `ActivityStore` promises. */
export function testActivity({ store, nodes }: Stores): void {
  async function makeLink(): Promise<{ feed: Feed; feedId: string; tokenHash: Uint8Array }> {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    return { feed, feedId: feed.id, tokenHash: link.tokenHash }
  }

  it('polls add up in any order of batches, and the latest poll gives the status', async () => {
    const { feedId, tokenHash } = await makeLink()
    await store.activity.addActivity([polls(tokenHash)])
    const later = { firstPolledAt: 3000, lastPolledAt: 4000, lastStatus: 304, hasChangeOf: 900 }
    await nodes[0].call('activity', 'addActivity', [polls(tokenHash, later)])
    await store.activity.addActivity([
      polls(tokenHash, { firstPolledAt: 2500, lastPolledAt: 2600, lastStatus: 503, polls: 1 }),
    ])
    expect(await store.activity.listActivity([feedId])).toEqual([
      {
        feedId,
        label: 'default',
        client: 'google',
        firstPolledAt: 1000,
        lastPolledAt: 4000,
        lastStatus: 304,
        polls: 5,
        hasChangeOf: 900,
      },
    ])
  })

  it('a batch without a served calendar does not clear the last known change', async () => {
    const { feedId, tokenHash } = await makeLink()
    await store.activity.addActivity([polls(tokenHash)])
    const refused = { firstPolledAt: 3000, lastPolledAt: 4000, lastStatus: 410, hasChangeOf: null }
    await store.activity.addActivity([polls(tokenHash, refused)])
    expect(await store.activity.listActivity([feedId])).toMatchObject([
      { lastStatus: 410, hasChangeOf: 500 },
    ])
  })

  it('activity is deleted with its feed', async () => {
    const { feed, feedId, tokenHash } = await makeLink()
    await store.activity.addActivity([polls(tokenHash)])
    await removeFeed(store, feed)
    expect(await store.activity.listActivity([feedId])).toEqual([])
    await store.activity.addActivity([polls(tokenHash)])
    expect(await store.activity.listActivity([feedId])).toEqual([])
  })

  it('nodes that write the same links at once all succeed, whatever their order', async () => {
    const length = inject('isThorough') ? 200 : 60
    const links = await Promise.all(Array.from({ length }, makeLink))
    const batch = links.map(({ tokenHash }) => polls(tokenHash, { polls: 1 }))
    await Promise.all(
      nodes.flatMap((node) => [
        node.call('activity', 'addActivity', batch),
        node.call('activity', 'addActivity', batch.toReversed()),
      ]),
    )
    const counted = await store.activity.listActivity(links.map(({ feedId }) => feedId))
    expect(new Set(counted.map((client) => client.polls))).toEqual(new Set([4]))
    expect(counted).toHaveLength(length)
  })
}

function polls(tokenHash: Uint8Array, changes: Partial<LinkPolls> = {}): LinkPolls {
  return {
    tokenHash,
    client: 'google',
    firstPolledAt: 1000,
    lastPolledAt: 2000,
    lastStatus: 200,
    polls: 2,
    hasChangeOf: 500,
    ...changes,
  }
}
