import { expect, inject, it } from 'vitest'

import { adasFeed, linkTo } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `LinkStore` promises of links. */
export function testLinks({ store, nodes }: Stores): void {
  it('a token finds its link and feed, and another token finds nothing', async () => {
    const feed = adasFeed()
    const link = linkTo(feed, { createdAt: feed.createdAt + 1 })
    await store.feeds.createFeed(feed, link)
    expect(await store.links.findByTokenHash(link.tokenHash)).toEqual({ feed, link })
    expect(await store.links.findByTokenHash(linkTo(feed).tokenHash)).toBeUndefined()
  })

  it('token hashes are read as plain bytes', async () => {
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    const [link] = await store.links.listLinks([feed.id])
    expect(Object.getPrototypeOf(link?.tokenHash)).toBe(Uint8Array.prototype)
  })

  it('are listed for the requested feeds, in order of creation', async () => {
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

  it('an ended link is still found by its token', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    expect(await store.links.endLink(feed.id, 'default', { endsAt: 4000 })).toBe(true)
    const found = await store.links.findByTokenHash(link.tokenHash)
    expect(found?.link).toEqual({ ...link, endsAt: 4000, endingSince: 4000 })
    expect(await store.links.endLink(feed.id, 'phone', { endsAt: 4000 })).toBeUndefined()
  })

  it('an ended link goes on unless its end has changed or its calendar says that it has ended', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    await store.links.endLink(feed.id, 'default', { endsAt: 4000 })
    expect(await store.links.reopenLink({ ...link, endsAt: 3000 })).toBe(false)
    expect(await store.links.reopenLink({ ...link, endsAt: 4000 })).toBe(true)
    expect(await store.links.findByTokenHash(link.tokenHash)).toEqual({ feed, link })
    await store.links.endLink(feed.id, 'default', { endsAt: 5000, purged: true })
    expect(await store.links.reopenLink({ ...link, endsAt: 5000 })).toBe(false)
  })

  it('a label in use is a conflict, also while its end is in the future', async () => {
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    const next = linkTo(feed, { createdAt: feed.createdAt + 10 })
    await expect(store.links.createLink(next)).rejects.toMatchObject({ code: 'conflict' })
    await store.links.endLink(feed.id, 'default', { endsAt: feed.createdAt + 11 })
    await expect(store.links.createLink(next)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('the label of an ended link can be reused any number of times', async () => {
    const feed = adasFeed()
    const links = [linkTo(feed), linkTo(feed), linkTo(feed)]
    for (const [index, link] of links.entries()) {
      await (index === 0 ? store.feeds.createFeed(feed, link) : store.links.createLink(link))
      await store.links.endLink(feed.id, 'default', { endsAt: feed.createdAt })
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

  it('of links created at once by several nodes, one gets the label', async () => {
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    for (let round = 0; round < (inject('isThorough') ? 20 : 6); round += 1) {
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

  it('a link to an unknown feed is a conflict', async () => {
    await expect(store.links.createLink(linkTo(adasFeed()))).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('simultaneous rotations follow each other: one link has the label, all others end', async () => {
    const feed = adasFeed()
    await store.feeds.createFeed(feed, linkTo(feed))
    const links = Array.from({ length: 8 }, (_, index) =>
      linkTo(feed, { createdAt: feed.createdAt + index }),
    )
    const rotated = await Promise.all(
      links.map((next, index) =>
        nodes[index % 2]!.call('links', 'rotateLink', next, { label: 'old', endsAt: 9e12 }),
      ),
    )
    expect(rotated).toEqual(links.map(() => true))
    const kept = await store.links.listLinks([feed.id])
    expect(kept).toHaveLength(9)
    expect(new Set(kept.map(({ label }) => label)).size).toBe(9)
    expect(kept.filter(({ endsAt }) => endsAt === null)).toMatchObject([{ label: 'default' }])
  })

  it('a rotated link keeps an earlier end, and its publication', async () => {
    const feed = adasFeed()
    const publication = { fingerprint: 'f', etag: 'W/"1"', lastModified: 1000 }
    const link = linkTo(feed, { publication })
    await store.feeds.createFeed(feed, link)
    await store.links.endLink(feed.id, 'default', { endsAt: 5000, purged: true })
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

  it('choices belong to one link, and pass on to the link that replaces it', async () => {
    const feed = adasFeed()
    const [one, two] = [linkTo(feed), linkTo(feed, { label: 'phone' })]
    await store.feeds.createFeed(feed, one)
    await store.links.createLink(two)
    const choices = { hide: ['tasks' as const], locale: 'de' as const, reminderMinutes: 0 }
    await store.links.changeChoices(one, () => choices)
    expect(await store.links.listLinks([feed.id])).toEqual([{ ...one, choices }, two])
    const next = linkTo(feed, { createdAt: feed.createdAt + 1 })
    await store.links.rotateLink(next, { label: 'old', endsAt: 9e12 })
    expect((await store.links.findByTokenHash(next.tokenHash))?.link.choices).toEqual(choices)
    expect((await store.links.findByTokenHash(one.tokenHash))?.link.choices).toEqual(choices)
    await store.links.changeChoices(one, () => ({}))
    expect((await store.links.findByTokenHash(one.tokenHash))?.link.choices).toEqual({})
    expect((await store.links.findByTokenHash(next.tokenHash))?.link.choices).toEqual(choices)
  })

  it('of several who end or replace the same link, one succeeds and no other link is affected', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    await store.feeds.createFeed(feed, link)
    const { tokenHash } = link
    const next = [1, 2, 3, 4].map((ms) => linkTo(feed, { createdAt: feed.createdAt + ms }))
    const results = await Promise.all([
      ...next.map((other, index) =>
        nodes[index % 2]!.call('links', 'rotateLink', other, {
          label: 'old',
          endsAt: 7,
          tokenHash,
        }),
      ),
      ...nodes.map((node) => node.call('links', 'endByToken', link, 7)),
    ])
    expect(results.filter((done) => done === true)).toHaveLength(1)
    const kept = await store.links.listLinks([feed.id])
    expect(kept).toContainEqual(
      expect.objectContaining({ tokenHash, endsAt: 7, endingSince: expect.anything() }),
    )
    const open = kept.filter(({ endsAt }) => endsAt === null)
    expect(open).toHaveLength(results.indexOf(true) < next.length ? 1 : 0)
  })
}
