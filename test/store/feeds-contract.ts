import { describe, expect, inject, it } from 'vitest'

import type { ClientFamily, LinkPolls } from '../../src/domain/activity.ts'
import { readOptions } from '../../src/domain/feed-options.ts'
import type { Feed } from '../../src/domain/feed.ts'
import { adasFeed, linkTo, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `FeedStore` promises. */
export function testFeeds({ store, nodes }: Stores): void {
  describe('feed', () => {
    it('a feed is found as it was created', async () => {
      const plain = adasFeed()
      const full = adasFeed({
        audience: 'others',
        userIds: ['usr_ada', 'usr_bob'],
        locale: 'de',
        name: 'Würmer 🐛 & "Co"',
        revision: 7,
        leavesShown: true,
        shownCollections: ['tasks:prj_web', 'invoice:inv "1"'],
        revokedAt: 1,
        purgedAt: 2,
        closedAt: 253_402_300_799_999,
        closedBecause: 'The person has left.',
      })
      for (const feed of [plain, full]) {
        await store.feeds.createFeed(feed, linkTo(feed))
        expect(await store.feeds.findFeed(feed.id)).toEqual(feed)
      }
    })

    it('an unknown feed is undefined', async () => {
      expect(await store.feeds.findFeed('feed_unknown')).toBeUndefined()
    })

    it('an existing id is a conflict', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      await expect(store.feeds.createFeed(feed, linkTo(feed))).rejects.toMatchObject({
        name: 'AppError',
        code: 'conflict',
      })
    })

    it('an existing token is a conflict, and its feed is not created', async () => {
      const [first, second] = [adasFeed(), adasFeed()]
      const link = linkTo(first)
      await store.feeds.createFeed(first, link)
      await expect(
        store.feeds.createFeed(second, linkTo(second, { tokenHash: link.tokenHash })),
      ).rejects.toMatchObject({ code: 'conflict' })
      expect(await store.feeds.findFeed(second.id)).toBeUndefined()
      expect(await store.feeds.listFeeds({ companyId: second.companyId, limit: 9 })).toEqual([])
    })

    it('a change replaces the feed and raises its revision', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const renamed = { ...feed, name: 'Renamed', revokedAt: 5, revision: 2 }
      const change = (kept: Feed): Feed => ({ ...kept, name: 'Renamed', revokedAt: 5 })
      expect(await store.feeds.changeFeed(feed.id, change)).toEqual(renamed)
      expect(await store.feeds.findFeed(feed.id)).toEqual(renamed)
    })

    it('feeds are counted by state', async () => {
      const before = await store.feeds.countFeeds()
      for (const ends of [{}, { closedAt: 5 }, { revokedAt: 5 }, { closedAt: 5, revokedAt: 6 }]) {
        const feed = adasFeed(ends)
        await store.feeds.createFeed(feed, linkTo(feed))
      }
      expect(await store.feeds.countFeeds()).toEqual({
        open: before.open + 1,
        closed: before.closed + 1,
        revoked: before.revoked + 2,
      })
    })

    it('open feeds are counted by company', async () => {
      const [north, south] = [uniqueId('north'), uniqueId('south')]
      for (const state of [
        { companyId: north },
        { companyId: north },
        { companyId: north, closedAt: 5 },
        { companyId: south, revokedAt: 5 },
      ]) {
        const feed = adasFeed(state)
        await store.feeds.createFeed(feed, linkTo(feed))
      }
      const counts = await store.feeds.countOpenFeeds()
      expect([counts.get(north), counts.get(south)]).toEqual([2, undefined])
    })

    it('a change without effect raises no revision, and a missing feed is not changed', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      expect(await store.feeds.changeFeed(feed.id, () => null)).toEqual(feed)
      expect(await store.feeds.findFeed(feed.id)).toEqual(feed)
      expect(
        await store.feeds.changeFeed(uniqueId('feed'), () => expect.unreachable()),
      ).toBeUndefined()
    })

    it('the explicitly set options decide, and the complete options follow from them', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const ownOptions = { leaves: { detail: 'full' as const } }
      const changed = await store.feeds.changeFeed(feed.id, (kept) => ({ ...kept, ownOptions }))
      expect(changed?.options).toEqual(readOptions('own', ownOptions))
      expect(await store.feeds.findFeed(feed.id)).toEqual(changed)
    })

    it('simultaneous changes by several nodes all count', async () => {
      const feed = adasFeed({ name: '' })
      await store.feeds.createFeed(feed, linkTo(feed))
      const rounds = inject('isThorough') ? 30 : 8
      for (let round = 1; round <= rounds; round += 1) {
        await Promise.all(nodes.map((node) => node.call('feeds', 'changeFeed', feed.id, '+')))
        const made = round * nodes.length
        const name = '+'.repeat(made)
        expect(await store.feeds.findFeed(feed.id)).toMatchObject({ name, revision: 1 + made })
      }
    })

    it('the mark that leaves were shown is permanent and does not change the revision', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      await store.feeds.markShown(feed.id, { keys: [], leaves: true })
      expect(await store.feeds.findFeed(feed.id)).toEqual({ ...feed, leavesShown: true })
      await store.feeds.changeFeed(feed.id, () => feed)
      expect(await store.feeds.findFeed(feed.id)).toMatchObject({ leavesShown: true, revision: 2 })
    })

    it('other shown collections accumulate permanently and do not change the revision', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const shown = ['tasks:prj_web', 'invoice:inv_1', 'tasks:prj_ops']
      await store.feeds.markShown(feed.id, { keys: shown.slice(0, 2), leaves: false })
      await store.feeds.markShown(feed.id, { keys: shown.slice(1), leaves: false })
      await store.feeds.markShown(feed.id, { keys: [], leaves: false })
      expect(await store.feeds.findFeed(feed.id)).toEqual({ ...feed, shownCollections: shown })
      await store.feeds.changeFeed(feed.id, () => feed)
      const changed = { ...feed, shownCollections: shown, revision: 2 }
      expect(await store.feeds.findFeed(feed.id)).toEqual(changed)
      await store.feeds.markShown(uniqueId('feed'), { keys: shown, leaves: false })
    })

    it('forgets, once it is served, the shown leave of people who are no longer in it', async () => {
      const feed = adasFeed({ audience: 'others', userIds: ['usr_ada', 'usr_bob'] })
      await store.feeds.createFeed(feed, linkTo(feed))
      const shownIn = async () => {
        const { leavesShown, shownCollections } = (await store.feeds.findFeed(feed.id))!
        return { leavesShown, shownCollections }
      }
      await store.feeds.markShown(feed.id, {
        keys: ['leaves:usr_ada', 'tasks:prj_web', 'leaves:usr_cleo'],
        leaves: true,
      })
      const shownCollections = ['leaves:usr_ada', 'tasks:prj_web']
      expect(await shownIn()).toEqual({ leavesShown: true, shownCollections })
      await store.feeds.changeFeed(feed.id, (before) => ({ ...before, userIds: ['usr_bob'] }))
      expect(await shownIn()).toEqual({ leavesShown: true, shownCollections })
      await store.feeds.markShown(feed.id, { keys: ['leaves:usr_ada'], leaves: true })
      expect(await shownIn()).toEqual({ leavesShown: false, shownCollections: ['tasks:prj_web'] })
    })

    it('collections shown by several nodes at once are all remembered', async () => {
      const feed = adasFeed()
      await store.feeds.createFeed(feed, linkTo(feed))
      const shown = Array.from({ length: 10 }, (_, index) => `tasks:prj_${index}`)
      const marks = shown.map((key, index) =>
        nodes[index % 2 === 0 ? 0 : 1].call('feeds', 'markShown', feed.id, {
          keys: [key],
          leaves: false,
        }),
      )
      await Promise.all(marks)
      const kept = await store.feeds.findFeed(feed.id)
      expect(kept?.shownCollections.toSorted()).toEqual(shown)
    })
  })

  describe('lists', () => {
    it('feeds are listed by creation, then by the bytes of their ids, page by page', async () => {
      const companyId = uniqueId('company')
      const ids = ['feed_B', 'feed_a', 'feed_C', 'feed_b'].map(uniqueId)
      const feeds = ids.flatMap((id, index) => [
        adasFeed({ id, companyId, createdAt: 2000 }),
        adasFeed({ companyId, createdAt: 3000 - 500 * index }),
      ])
      for (const feed of feeds) await store.feeds.createFeed(feed, linkTo(feed))
      const expected = feeds
        .map(({ id, createdAt }) => ({ id, createdAt }))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))

      const seen: { id: string; createdAt: number }[] = []
      for (let after = null; ;) {
        const page = await store.feeds.listFeeds({ companyId, after, limit: 3 })
        expect(page.length).toBeLessThanOrEqual(3)
        seen.push(...page.map(({ id, createdAt }) => ({ id, createdAt })))
        const last = seen.at(-1)
        if (page.length === 0 || !last) break
        after = last
      }
      expect(seen).toEqual(expected)
    })

    it('feeds are listed by company, by user, or by both', async () => {
      const [company, other] = [uniqueId('company'), uniqueId('company')]
      const [ada, bob] = [uniqueId('usr'), uniqueId('usr')]
      const own = adasFeed({ companyId: company, userIds: [ada], createdAt: 1 })
      const team = adasFeed({ companyId: company, userIds: [bob, ada], createdAt: 2 })
      const elsewhere = adasFeed({ companyId: other, userIds: [ada], createdAt: 3 })
      for (const feed of [own, team, elsewhere]) await store.feeds.createFeed(feed, linkTo(feed))

      expect(await store.feeds.listFeeds({ companyId: company, limit: 9 })).toEqual([own, team])
      expect(await store.feeds.listFeeds({ userIds: [ada], limit: 9 })).toEqual([
        own,
        team,
        elsewhere,
      ])
      expect(await store.feeds.listFeeds({ userIds: [bob], limit: 9 })).toEqual([team])
      expect(await store.feeds.listFeeds({ companyId: other, userIds: [ada], limit: 9 })).toEqual([
        elsewhere,
      ])
      expect(await store.feeds.listFeeds({ companyId: other, userIds: [bob], limit: 9 })).toEqual(
        [],
      )
    })

    it('lists follow a change of users', async () => {
      const [bob, cleo] = [uniqueId('usr'), uniqueId('usr')]
      const team = adasFeed({ audience: 'others', userIds: ['usr_ada', bob] })
      await store.feeds.createFeed(team, linkTo(team))
      const changed = { ...team, userIds: [cleo, 'usr_ada'], revision: 2 }
      await store.feeds.changeFeed(team.id, () => changed)
      expect(await store.feeds.listFeeds({ userIds: [bob], limit: 9 })).toEqual([])
      expect(await store.feeds.listFeeds({ userIds: [cleo], limit: 9 })).toEqual([changed])
    })

    it('take any text as an identifier', async () => {
      const userId = `${uniqueId('usr')}'; drop table feeds; -- %_`
      const feed = adasFeed({ userIds: [userId] })
      await store.feeds.createFeed(feed, linkTo(feed))
      expect(await store.feeds.listFeeds({ userIds: [userId], limit: 9 })).toEqual([feed])
    })

    it('lists filter by state, by never polled, and by search text, page by page', async () => {
      const companyId = uniqueId('company')
      const [ada, ozil] = [uniqueId('usr'), uniqueId('usr')]
      const people = [{ id: ozil, firstName: 'Mesut', lastName: 'Özil' }]
      const made = (change: Partial<Feed>): Feed =>
        adasFeed({ companyId, userIds: [ada], ...change })
      const open = made({ name: '100 % büro_Plan' })
      const revoked = made({ revokedAt: 5, closedAt: 4, closedBecause: 'gone' })
      const closed = made({ closedAt: 4, closedBecause: 'gone' })
      const unpolled = made({ userIds: [ozil], name: 'Ende' })
      const shown = made({ name: 'Ende' })
      const all = [open, revoked, closed, unpolled, shown]
      const links = all.map((feed) => linkTo(feed))
      for (const [index, feed] of all.entries()) await store.feeds.createFeed(feed, links[index]!)
      await store.people.seePeople(companyId, people, 1)
      const clients = ['google', 'apple', 'other', null, 'browser'] as const
      await store.activity.addActivity(
        links.flatMap(({ tokenHash }, index) => {
          const client = clients[index]
          return client ? [polls(tokenHash, client)] : []
        }),
      )

      const find = async (filter: object): Promise<readonly string[]> => {
        const found: Feed[] = []
        for (let after = null; ;) {
          const page = await store.feeds.listFeeds({ companyId, ...filter, after, limit: 1 })
          found.push(...page)
          const last = page.at(-1)
          if (!last)
            return all.map(({ id }) => id).filter((id) => found.some((feed) => feed.id === id))
          after = last
        }
      }
      const ids = (...feeds: readonly Feed[]): readonly string[] => feeds.map(({ id }) => id)
      expect(await find({ state: 'open' })).toEqual(ids(open, unpolled, shown))
      expect(await find({ state: 'revoked' })).toEqual(ids(revoked))
      expect(await find({ state: 'closed' })).toEqual(ids(closed))
      expect(await find({ neverPolled: true })).toEqual(ids(unpolled, shown))
      expect(await find({ neverPolled: true, userIds: [ada] })).toEqual(ids(shown))
      expect(await find({ neverPolled: true, state: 'revoked' })).toEqual([])
      for (const search of ['BÜRO', 'büro_', '100 %', 'o_pl']) {
        expect(await find({ search })).toEqual(ids(open))
      }
      for (const search of ['özil', 'ÖZIL', 'mesut öz', ozil]) {
        expect(await find({ search })).toEqual(ids(unpolled))
      }
      expect(await find({ search: 'ende', neverPolled: true })).toEqual(ids(unpolled, shown))
      expect(await find({ search: closed.id })).toEqual(ids(closed))
      expect(await find({ search: '%' })).toEqual(ids(open))
      expect(await find({ search: 'nobody' })).toEqual([])
      expect(await store.feeds.listFeeds({ companyId: 'else', search: 'özil', limit: 9 })).toEqual(
        [],
      )
      await store.feeds.changeFeed(open.id, (feed) => ({ ...feed, name: 'Changed' }))
      expect(await find({ neverPolled: true })).toEqual(ids(unpolled, shown))
    })

    it('lists filter by several people, and by feeds that are not revoked', async () => {
      const feed = adasFeed({ name: 'A' })
      const revoked = adasFeed({ ...feed, id: `${feed.id}x`, revokedAt: 7 })
      const named = adasFeed({ ...feed, id: `${feed.id}y`, name: 'B' })
      for (const one of [feed, revoked, named]) await store.feeds.createFeed(one, linkTo(one))
      const { companyId } = feed
      const find = async (filter: object): Promise<string[]> =>
        (await store.feeds.listFeeds({ companyId, limit: 9, ...filter })).map(({ id }) => id)
      expect(await find({ unrevoked: true })).toEqual([feed.id, named.id])
      expect(await find({ userIds: ['usr_nobody', ...feed.userIds] })).toEqual([
        feed.id,
        revoked.id,
        named.id,
      ])
    })
  })
}

function polls(tokenHash: Uint8Array, client: ClientFamily): LinkPolls {
  const at = { firstPolledAt: 1, lastPolledAt: 1 }
  return { tokenHash, client, ...at, lastStatus: 200, polls: 1, hasChangeOf: null }
}
