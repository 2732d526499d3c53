import { expect, inject, it } from 'vitest'

import type { Publication } from '../../src/domain/ledger.ts'
import { adasFeed, linkTo } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `LinkStore` promises of what links serve. */
export function testPublications({ store, nodes }: Stores): void {
  const first: Publication = { fingerprint: 'one', etag: 'W/"1"', lastModified: 1000 }
  const second: Publication = { fingerprint: 'two', etag: 'W/"2"', lastModified: 2000 }

  it('replace only the publication they are based on', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    expect(await store.links.savePublication(link, second, first)).toBe(false)
    expect(await store.links.savePublication(link, null, first)).toBe(true)
    expect(await store.links.savePublication(link, null, second)).toBe(false)
    expect(await store.links.savePublication(link, { ...first, etag: 'x' }, second)).toBe(false)
    expect(await store.links.savePublication(link, { ...first, lastModified: 1001 }, second)).toBe(
      false,
    )
    expect(await store.links.savePublication(link, { ...first, fingerprint: 'x' }, second)).toBe(
      false,
    )
    const found = await store.links.findByTokenHash(link.tokenHash)
    expect(found?.link.publication).toEqual(first)
    expect(await store.links.savePublication(link, first, second)).toBe(true)
    expect((await store.links.findByTokenHash(link.tokenHash))?.link.publication).toEqual(second)
  })

  it('are stored together with their ledger, or neither is', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    const empty = { version: 0, entries: new Map() }
    const stored = async (): Promise<unknown> => [
      (await store.links.findByTokenHash(link.tokenHash))?.link.publication,
      (await store.ledgers.findLedger(link)).version,
    ]
    const outdated = { ...empty, version: 1 }
    expect(await store.links.savePublication(link, second, first, empty)).toBe(false)
    expect(await store.links.savePublication(link, null, first, outdated)).toBe(false)
    expect(await stored()).toEqual([null, 0])
    expect(await store.links.savePublication(link, null, first, empty)).toBe(true)
    expect(await stored()).toEqual([first, 1])
    expect(await store.links.savePublication(link, first, second, empty)).toBe(false)
    expect(await store.links.savePublication(link, null, second, outdated)).toBe(false)
    expect(await stored()).toEqual([first, 1])
    expect(await store.links.savePublication(link, first, second, outdated)).toBe(true)
    expect(await stored()).toEqual([second, 2])
  })

  it('of several based on the same one, one is stored', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    let before: Publication | null = null
    const rounds = inject('isThorough') ? 30 : 8
    for (let round = 1; round <= rounds; round += 1) {
      const made = nodes.map((_, index): Publication => {
        return { fingerprint: `${round}-${index}`, etag: `W/"${round}"`, lastModified: round }
      })
      const ledger = { version: round - 1, entries: new Map() }
      const results = await Promise.all(
        nodes.map((node, index) =>
          node.call('links', 'savePublication', link, before, made[index], ledger),
        ),
      )
      expect(results.filter((kept) => kept === true)).toHaveLength(1)
      const found = await store.links.findByTokenHash(link.tokenHash)
      before = found?.link.publication ?? null
      expect(before).toEqual(made[results.indexOf(true)])
    }
  })
}
