import { expect, it } from 'vitest'

import { everythingIn } from '../support/search-database.ts'
import { adasFeed, copyBegunAt, linkTo, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `ErasureStore` promises. */
export function testErasure({ url, store, nodes }: Stores): void {
  const { erasure } = store

  it('feeds of a person are all of them, in order of creation', async () => {
    const userId = uniqueId('usr')
    const made = [
      adasFeed({ userIds: [userId], createdAt: 2, revokedAt: 3 }),
      adasFeed({ userIds: ['usr_bob', userId], createdAt: 1, closedAt: 3 }),
      adasFeed({ userIds: ['usr_bob'] }),
    ]
    for (const feed of made) await store.feeds.createFeed(feed, linkTo(feed))
    expect(await erasure.listFeedsOf(userId)).toEqual([made[1], made[0]])
  })

  it('a feed goes with its links, its ledger and the key under which it was made', async () => {
    const feed = adasFeed()
    const link = linkTo(feed)
    const creation = { keyHash: uniqueId('key'), requestHash: 'request', createdAt: 9e14 }
    await store.feeds.createFeeds([{ feed, link }], { ...creation, feedIds: [feed.id] })
    await store.ledgers.saveLedger(feed.id, { version: 0, entries: new Map() })
    await erasure.deleteFeed(feed.id)
    expect(await store.links.findByTokenHash(link.tokenHash)).toBeUndefined()
    expect(await store.feeds.findCreation(creation.keyHash)).toBeUndefined()
    await erasure.forgetDeleted()
    expect((await everythingIn(url)).includes(feed.id)).toBe(false)
  })

  it('a person goes from everything that is kept of them by their id', async () => {
    const [connectionId, userId] = [uniqueId('connection'), `${uniqueId('usr')} "%"`]
    const [companyId, keys] = [uniqueId('company'), [`leaves:${userId}`, `user:${userId}`]]
    const feed = adasFeed({ companyId, userIds: [userId] })
    await store.feeds.createFeed(feed, linkTo(feed))
    for (const key of keys) {
      await store.copies.keepCopy(connectionId, copyBegunAt(1000, { key }), userId)
    }
    await store.proofs.claimLeaves(connectionId, userId, ['lv_1', 'lv_2'])
    await store.proofs.claimLeaves(connectionId, 'usr_bob', ['lv_1'])
    const left = { because: 'user_missing', since: 1, readAt: 2, leftAt: 3 } as const
    await store.departures.keepDeparture({ companyId, userId, ...left })
    const finding = { check: 'leaves', ok: true, seen: `Of ${userId} …`, means: '', set: null }
    const examination = { companyId, ok: true, findings: [finding] }
    await store.examinations.keepExamination(connectionId, { examination, examinedAt: 1 })

    await erasure.deleteFeed(feed.id)
    expect(await erasure.deletePerson(userId, keys)).toBe(2)
    await erasure.forgetDeleted()
    expect(await store.proofs.listContested(connectionId)).toEqual([])
    const everything = await everythingIn(url)
    expect(everything.includes(userId)).toBe(false)
    expect(everything.includes(JSON.stringify(userId).slice(1, -1))).toBe(false)
    expect(await erasure.deletePerson(userId, keys)).toBe(0)
  })

  it('what other nodes are about to keep of a person is not there after the erasure', async () => {
    const connectionId = uniqueId('connection')
    for (let round = 0; round < 20; round += 1) {
      const userId = uniqueId('usr')
      const feed = adasFeed({ userIds: [userId] })
      const copy = copyBegunAt(1000, { key: `leaves:${userId}` })
      await store.feeds.createFeed(feed, linkTo(feed))
      const keeping = [
        nodes[0].call('copies', 'keepCopy', connectionId, copy, userId),
        nodes[1].call('proofs', 'claimLeaves', connectionId, userId, [`lv_${round}`], true),
      ]
      await erasure.deleteFeed(feed.id)
      await erasure.deletePerson(userId, [copy.key])
      await Promise.all(keeping)
      expect(await store.copies.findHeads(connectionId, [copy.key])).toEqual([])
      const claimed = await store.proofs.claimLeaves(connectionId, 'usr_eve', [`lv_${round}`])
      expect(claimed).toEqual([])
    }
  })

  it('copies of tasks are listed, whose records name people too', async () => {
    const connectionId = uniqueId('connection')
    for (const key of ['tasks:prj_1', 'tasks:prj_2', 'schedules']) {
      await store.copies.keepCopy(connectionId, copyBegunAt(1000, { key }))
    }
    const listed = await erasure.listTaskCopies()
    const keys = listed.filter((copy) => copy.connectionId === connectionId).map(({ key }) => key)
    expect(keys.toSorted()).toEqual(['tasks:prj_1', 'tasks:prj_2'])
  })
}
