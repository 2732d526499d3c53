import { afterAll, beforeAll, expect, test } from 'vitest'

import type { LedgerEntry } from '../../src/domain/ledger.ts'
import { openStore, type Store } from '../../src/store/open-store.ts'
import type { CreateDatabase } from '../support/databases.ts'
import { openStoreNode, type StoreNode } from '../support/store-node.ts'
import { adasFeed, linkTo } from './fixtures.ts'

/** What `LedgerStore` promises. */
export function testLedgerStore(createDatabase: CreateDatabase): void {
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

  async function makeFeed(): Promise<string> {
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    return feed.id
  }

  test('a feed that has shown nothing has an empty ledger of version 0', async () => {
    expect(await store.ledgers.findLedger(await makeFeed())).toEqual({
      version: 0,
      entries: new Map(),
    })
  })

  test('a ledger is found as it was saved, with the next version', async () => {
    const feedId = await makeFeed()
    expect(await store.ledgers.saveLedger(feedId, { version: 0, entries: showing(1) })).toBe(true)
    expect(await store.ledgers.findLedger(feedId)).toEqual({ version: 1, entries: showing(1) })
    expect(await store.ledgers.saveLedger(feedId, { version: 1, entries: showing(2) })).toBe(true)
    expect(await store.ledgers.findLedger(feedId)).toEqual({ version: 2, entries: showing(2) })
  })

  test('one made from another version than the kept one is not saved', async () => {
    const feedId = await makeFeed()
    expect(await store.ledgers.saveLedger(feedId, { version: 1, entries: showing(1) })).toBe(false)
    await store.ledgers.saveLedger(feedId, { version: 0, entries: showing(1) })
    for (const version of [0, 2]) {
      expect(await store.ledgers.saveLedger(feedId, { version, entries: showing(9) })).toBe(false)
    }
    expect(await store.ledgers.findLedger(feedId)).toEqual({ version: 1, entries: showing(1) })
  })

  test('of ledgers saved at once by several nodes one is kept, from the first on', async () => {
    const feedId = await makeFeed()
    for (let version = 0; version < 40; version += 1) {
      const results = await Promise.all(
        nodes.map((node, index) =>
          node.call('ledgers', 'saveLedger', feedId, { version, entries: showing(index) }),
        ),
      )
      expect(results.filter((kept) => kept === true)).toHaveLength(1)
      expect(await store.ledgers.findLedger(feedId)).toEqual({
        version: version + 1,
        entries: showing(results.indexOf(true)),
      })
    }
  })

  test('a ledger of no feed is not kept', async () => {
    const saving = store.ledgers.saveLedger('feed_unknown', { version: 0, entries: new Map() })
    expect(await saving).toBe(false)
  })
}

function showing(sequence: number): ReadonlyMap<string, LedgerEntry> {
  const changedAt = Date.UTC(2026, 0, 5)
  return new Map([
    ['AAAAAAAAAA', { contentHash: '_-__--__-A', sequence, changedAt, goneAt: null }],
    ['zzzzzzzzzw', { contentHash: 'AAAAAAAAAQ', sequence: 0, changedAt, goneAt: changedAt }],
  ])
}
