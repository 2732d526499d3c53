import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { LinkPolls } from '../../src/domain/activity.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { adasFeed, linkTo } from './fixtures.ts'

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

describe.each(databases)('on $name', ({ create }) => {
  let nodes: Store[]

  beforeAll(async () => {
    const url = await create()
    nodes = [await openStore(url), await openStore(url)]
  })
  afterAll(() => Promise.all(nodes.map((node) => node.close())))

  async function makeLink(): Promise<{ feedId: string; tokenHash: Uint8Array }> {
    const feed = adasFeed()
    const link = linkTo(feed)
    await nodes[0]!.feeds.createFeed(feed, link)
    return { feedId: feed.id, tokenHash: link.tokenHash }
  }

  test('polls add up, and the later batch says how it stands, in whatever order they are written', async () => {
    const { feedId, tokenHash } = await makeLink()
    const [one, other] = nodes
    await one!.activity.addActivity([polls(tokenHash)])
    await other!.activity.addActivity([
      polls(tokenHash, {
        firstPolledAt: 3000,
        lastPolledAt: 4000,
        lastStatus: 304,
        hasChangeOf: 900,
      }),
    ])
    await one!.activity.addActivity([
      polls(tokenHash, { firstPolledAt: 2500, lastPolledAt: 2600, lastStatus: 503, polls: 1 }),
    ])
    expect(await one!.activity.listActivity([feedId])).toEqual([
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

  test('a batch that gave no calendar takes none away', async () => {
    const { feedId, tokenHash } = await makeLink()
    await nodes[0]!.activity.addActivity([polls(tokenHash)])
    const refused = { firstPolledAt: 3000, lastPolledAt: 4000, lastStatus: 410, hasChangeOf: null }
    await nodes[0]!.activity.addActivity([polls(tokenHash, refused)])
    expect(await nodes[0]!.activity.listActivity([feedId])).toMatchObject([
      { lastStatus: 410, hasChangeOf: 500 },
    ])
  })

  test('it ends with its feed', async () => {
    const { feedId, tokenHash } = await makeLink()
    await nodes[0]!.activity.addActivity([polls(tokenHash)])
    await nodes[0]!.erasure.deleteFeed(feedId)
    expect(await nodes[0]!.activity.listActivity([feedId])).toEqual([])
    await nodes[0]!.activity.addActivity([polls(tokenHash)])
    expect(await nodes[0]!.activity.listActivity([feedId])).toEqual([])
  })

  test('nodes that write the same links at once, in whatever order, all succeed', async () => {
    const links = await Promise.all(Array.from({ length: 200 }, makeLink))
    const batch = links.map(({ tokenHash }) => polls(tokenHash, { polls: 1 }))
    await Promise.all(
      nodes.flatMap((node) => [
        node.activity.addActivity(batch),
        node.activity.addActivity(batch.toReversed()),
      ]),
    )
    const counted = await nodes[0]!.activity.listActivity(links.map(({ feedId }) => feedId))
    expect(new Set(counted.map((it) => it.polls))).toEqual(new Set([4]))
    expect(counted).toHaveLength(200)
  })
})
