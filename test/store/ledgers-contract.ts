import { expect, it } from 'vitest'

import type { LedgerEntry } from '../../src/domain/ledger.ts'
import { makeFeed } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `LedgerStore` promises. */
export function testLedgers({ store, nodes }: Stores): void {
  it('a feed that has shown nothing has an empty ledger of version 0', async () => {
    expect(await store.ledgers.findLedger((await makeFeed(store)).id)).toEqual({
      version: 0,
      entries: new Map(),
    })
  })

  it('a ledger is found as it was saved, with the next version', async () => {
    const { id: feedId } = await makeFeed(store)
    expect(await store.ledgers.saveLedger(feedId, { version: 0, entries: showing(1) })).toBe(true)
    expect(await store.ledgers.findLedger(feedId)).toEqual({ version: 1, entries: showing(1) })
    expect(await store.ledgers.saveLedger(feedId, { version: 1, entries: showing(2) })).toBe(true)
    expect(await store.ledgers.findLedger(feedId)).toEqual({ version: 2, entries: showing(2) })
  })

  it('one made from another version than the kept one is not saved', async () => {
    const { id: feedId } = await makeFeed(store)
    expect(await store.ledgers.saveLedger(feedId, { version: 1, entries: showing(1) })).toBe(false)
    await store.ledgers.saveLedger(feedId, { version: 0, entries: showing(1) })
    for (const version of [0, 2]) {
      expect(await store.ledgers.saveLedger(feedId, { version, entries: showing(9) })).toBe(false)
    }
    expect(await store.ledgers.findLedger(feedId)).toEqual({ version: 1, entries: showing(1) })
  })

  it('of ledgers saved at once by several nodes one is kept, from the first on', async () => {
    const { id: feedId } = await makeFeed(store)
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

  it('a ledger of no feed is not kept', async () => {
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
