import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { LedgerEntry, SyncHistory } from '../../src/domain/ledger.ts'
import type { FeedLink } from '../../src/domain/link.ts'
import { adasFeed, linkTo } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `LedgerStore` promises, and what `LinkStore` does with ledgers. */
export function testLedgers({ url, store, nodes }: Stores): void {
  const { ledgers, links } = store

  async function makeLink(): Promise<FeedLink> {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    return link
  }

  it('a link that has shown nothing has an empty ledger of version 0', async () => {
    expect(await ledgers.findLedger(await makeLink())).toEqual({ version: 0, entries: new Map() })
  })

  it('a ledger is found as it was saved, with the next version', async () => {
    const link = await makeLink()
    expect(await ledgers.saveLedger(link, { version: 0, entries: showing(1) })).toBe(true)
    expect(await ledgers.findLedger(link)).toEqual({ version: 1, entries: showing(1) })
    expect(await ledgers.saveLedger(link, { version: 1, entries: showing(2) })).toBe(true)
    expect(await ledgers.findLedger(link)).toEqual({ version: 2, entries: showing(2) })
  })

  it('a ledger based on another version is not saved', async () => {
    const link = await makeLink()
    expect(await ledgers.saveLedger(link, { version: 1, entries: showing(1) })).toBe(false)
    await ledgers.saveLedger(link, { version: 0, entries: showing(1) })
    for (const version of [0, 2]) {
      expect(await ledgers.saveLedger(link, { version, entries: showing(9) })).toBe(false)
    }
    expect(await ledgers.findLedger(link)).toEqual({ version: 1, entries: showing(1) })
  })

  it('of ledgers saved at once by several nodes, one wins, from the first version on', async () => {
    const link = await makeLink()
    const versions = inject('isThorough') ? 40 : 10
    for (let version = 0; version < versions; version += 1) {
      const results = await Promise.all(
        nodes.map((node, index) =>
          node.call('ledgers', 'saveLedger', link, { version, entries: showing(index) }),
        ),
      )
      expect(results.filter((kept) => kept === true)).toHaveLength(1)
      expect(await ledgers.findLedger(link)).toEqual({
        version: version + 1,
        entries: showing(results.indexOf(true)),
      })
    }
  })

  it('a ledger without a link is not stored', async () => {
    const unknown = linkTo(adasFeed())
    expect(await ledgers.saveLedger(unknown, { version: 0, entries: new Map() })).toBe(false)
  })

  it('each link of a feed has its own ledger, and a new label starts with an empty one', async () => {
    const first = await makeLink()
    await ledgers.saveLedger(first, { version: 0, entries: showing(1) })
    const second = nextOf(first, { label: 'phone' })
    await links.createLink(second)
    expect(await ledgers.findLedger(second)).toMatchObject({ version: 0 })
    await ledgers.saveLedger(second, { version: 0, entries: showing(5) })
    expect(await ledgers.findLedger(first)).toEqual({ version: 1, entries: showing(1) })
  })

  it('after a rotation both links continue the ledger independently', async () => {
    const old = await makeLink()
    await ledgers.saveLedger(old, { version: 0, entries: showing(7) })
    const next = nextOf(old)
    await links.rotateLink(next, { label: 'old', endsAt: 9e12 })
    for (const [link, sequence] of [[next, 8] as const, [old, 9] as const]) {
      expect(await ledgers.findLedger(link)).toEqual({ version: 1, entries: showing(7) })
      expect(await ledgers.saveLedger(link, { version: 1, entries: showing(sequence) })).toBe(true)
    }
    expect(await ledgers.findLedger(next)).toEqual({ version: 2, entries: showing(8) })
    expect(await ledgers.findLedger(old)).toEqual({ version: 2, entries: showing(9) })
  })

  it('a sync history is kept with its ledger and goes with it to the next link', async () => {
    const old = await makeLink()
    const history: SyncHistory = {
      since: 1000,
      ranges: [
        ['BBBBBBBB', 1000, 2000],
        ['AAAAAAAA', 3000, 5000],
      ],
    }
    const [[name, entry] = ['', undefined]] = showing(1)
    if (!entry) throw new Error('The ledger shows something.')
    const entries = new Map([
      [name, { ...entry, publishedAt: 4000 }],
      ['zzzzzzzzzw', entry],
    ])
    await ledgers.saveLedger(old, { version: 0, entries, history })
    const next = nextOf(old)
    await links.rotateLink(next, { label: 'old', endsAt: 9e12 })
    for (const link of [old, next])
      expect(await ledgers.findLedger(link)).toEqual({ version: 1, entries, history })
  })

  it('a sync history does not count after a node of the release before has written the ledger', async () => {
    const link = await makeLink()
    const history: SyncHistory = { since: 1000, ranges: [['AAAAAAAA', 1000, 5000]] }
    await ledgers.saveLedger(link, { version: 0, entries: showing(1), history })
    const database = await openDatabase(url)
    await sql`update ledgers set version = 2 where token_hash = ${link.tokenHash}`.execute(
      database.queries,
    )
    await database.close()
    expect(await ledgers.findLedger(link)).toEqual({ version: 2, entries: showing(1) })
  })

  it('a reused label continues its ledger', async () => {
    const ended = await makeLink()
    await ledgers.saveLedger(ended, { version: 0, entries: showing(7) })
    await links.endByToken(ended, ended.createdAt)
    const next = nextOf(ended)
    await links.createLink(next)
    expect(await ledgers.findLedger(next)).toEqual({ version: 1, entries: showing(7) })
  })
}

function nextOf(link: FeedLink, changes: Partial<FeedLink> = {}): FeedLink {
  const { feedId: id, createdAt } = link
  return linkTo({ ...adasFeed(), id }, { createdAt: createdAt + 1, ...changes })
}

function showing(sequence: number): ReadonlyMap<string, LedgerEntry> {
  const changedAt = Date.UTC(2026, 0, 5)
  return new Map([
    ['AAAAAAAAAA', { contentHash: '_-__--__-A', sequence, changedAt, goneAt: null }],
    ['zzzzzzzzzw', { contentHash: 'AAAAAAAAAQ', sequence: 0, changedAt, goneAt: changedAt }],
  ])
}
