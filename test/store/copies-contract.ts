import { expect, inject, it } from 'vitest'

import type { CopyHead } from '../../src/domain/copy.ts'
import { adasFeed, copyBegunAt, linkTo, removeFeed, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const minuteMs = 60_000

/** What `CopyStore` promises. */
export function testCopies({ store, nodes }: Stores): void {
  const confirm = async (connection: string, head: CopyHead): Promise<boolean> =>
    (await store.copies.confirmCopies(connection, [head])).has(head.key)

  it('a copy is found as stored, its head without records', async () => {
    const connection = uniqueId('connection')
    const plain = copyBegunAt(1000)
    const full = copyBegunAt(1000, {
      key: 'timesheets:usr_ada',
      reach: { pastDays: 0, futureDays: 365 },
      missingSince: 900,
      withReasons: true,
      doubt: {
        lostHash: 'lost',
        since: 1001,
        ofAll: false,
        isReplaced: false,
        readings: 2,
        ofMany: true,
      },
      held: { 'ts_1 "%"': 1002, lv_2: 1003 },
      emptiedAt: 1004,
    })
    for (const copy of [plain, full]) {
      expect(await store.copies.keepCopy(connection, copy)).toBe(true)
      expect(await store.copies.findCopy(connection, copy.key)).toEqual(copy)
      const { records: _, ...head } = copy
      expect(await store.copies.findHeads(connection, [copy.key])).toEqual([head])
    }
  })

  it('a copy without records is a copy', async () => {
    const connection = uniqueId('connection')
    const empty = { ...copyBegunAt(1000), records: [] }
    await store.copies.keepCopy(connection, empty)
    expect(await store.copies.findCopy(connection, empty.key)).toEqual(empty)
  })

  it('records belong to exactly the named copies, for every reader', async () => {
    const [connection, other] = [uniqueId('connection'), uniqueId('connection')]
    const leaves = copyBegunAt(1000)
    const empty = { ...copyBegunAt(1000, { key: 'schedules' }), records: [] }
    const tasks = copyBegunAt(1000, { key: 'tasks:prj_"web", %' })
    for (const copy of [leaves, empty, tasks]) {
      for (const owner of [connection, other]) await store.copies.keepCopy(owner, copy)
    }
    const all = [leaves, empty, tasks]
    const contents = new Map(all.map(({ key, records }) => [key, records]))
    expect(await store.copies.findRecords(connection, all, new Set())).toEqual(contents)
    expect(await store.copies.findRecords(connection, [], new Set())).toEqual(new Map())
    const changed = { ...leaves, contentHash: 'another' }
    expect(await store.copies.findRecords(connection, [changed, tasks], new Set())).toBeUndefined()
    await store.copies.dropCopies(connection, [empty.key])
    expect(await store.copies.findRecords(connection, all, new Set())).toBeUndefined()
    expect(await store.copies.findRecords(other, all, new Set())).toEqual(contents)
  })

  it('records of shared copies are one list for all until another node stores new ones', async () => {
    const connection = uniqueId('connection')
    const [node] = nodes
    const before = copyBegunAt(1000, { key: 'tasks:prj_web', contentHash: 'before' })
    const after = { ...copyBegunAt(2000, { key: before.key, contentHash: 'after' }), records: [] }
    const shared = new Set([before.key])
    const found = async (of: typeof before): Promise<readonly object[] | undefined> =>
      (await store.copies.findRecords(connection, [of], shared))?.get(before.key)
    await store.copies.keepCopy(connection, before)
    const first = await found(before)
    expect(first).toEqual(before.records)
    expect(await found(before)).toBe(first)
    expect(await node.call('copies', 'keepCopy', connection, after)).toBe(true)
    expect(await found(before)).toBeUndefined()
    expect(await found(after)).toEqual([])
  })

  it('heads are returned for the requested keys that exist', async () => {
    const connection = uniqueId('connection')
    for (const key of ['schedules', 'user:usr_ada', 'tasks:prj_web']) {
      await store.copies.keepCopy(connection, copyBegunAt(1000, { key }))
    }
    const heads = await store.copies.findHeads(connection, ['schedules', 'user:usr_ada', 'none'])
    expect(heads.map(({ key }) => key).toSorted()).toEqual(['schedules', 'user:usr_ada'])
    expect(await store.copies.findHeads(connection, [])).toEqual([])
  })

  it('copies belong to their connection', async () => {
    const [here, there] = [uniqueId('connection'), uniqueId('connection')]
    await store.copies.keepCopy(here, copyBegunAt(1000))
    expect(await store.copies.findCopy(there, 'leaves:usr_ada')).toBeUndefined()
    expect(await store.copies.findHeads(there, ['leaves:usr_ada'])).toEqual([])
    await store.copies.dropCopies(there, ['leaves:usr_ada'])
    expect(await store.copies.findCopy(here, 'leaves:usr_ada')).toEqual(copyBegunAt(1000))
  })

  it('a refresh that began earlier never overwrites one that began later', async () => {
    const connection = uniqueId('connection')
    expect(await store.copies.keepCopy(connection, copyBegunAt(2000))).toBe(true)
    expect(await store.copies.keepCopy(connection, copyBegunAt(1999))).toBe(false)
    expect(await store.copies.findCopy(connection, 'leaves:usr_ada')).toEqual(copyBegunAt(2000))
    expect(await store.copies.keepCopy(connection, copyBegunAt(2001))).toBe(true)
    expect(await store.copies.findCopy(connection, 'leaves:usr_ada')).toEqual(copyBegunAt(2001))
  })

  it.each(['keepCopy', 'confirmCopies'] as const)(
    'a copy from the future does not count, one ahead by less than a minute does: %s',
    async (by) => {
      const skewed = copyBegunAt(2000 + minuteMs)
      const { contentHash } = skewed
      for (const [fetchedAt, written] of [
        [2000, false],
        [1999, true],
      ] as const) {
        const connection = uniqueId('connection')
        const now = copyBegunAt(1000, { fetchedAt, contentHash })
        await store.copies.keepCopy(connection, skewed)
        const write = by === 'keepCopy' ? store.copies.keepCopy.bind(store.copies) : confirm
        expect(await write(connection, now)).toBe(written)
        const found = await store.copies.findHeads(connection, [now.key])
        expect(found).toMatchObject([{ begunAt: written ? 1000 : skewed.begunAt }])
      }
    },
  )

  it('of two refreshes in the same millisecond, the one stored last wins', async () => {
    const connection = uniqueId('connection')
    const second = { ...copyBegunAt(1000), contentHash: 'second', records: [] }
    await store.copies.keepCopy(connection, copyBegunAt(1000))
    expect(await store.copies.keepCopy(connection, second)).toBe(true)
    expect(await store.copies.findCopy(connection, second.key)).toEqual(second)
  })

  it('the refresh that began later wins on any node, head and records', async () => {
    const connection = uniqueId('connection')
    const until = inject('isThorough') ? 1060 : 1020
    for (let begunAt = 1000; begunAt < until; begunAt += 2) {
      const copies = [copyBegunAt(begunAt), copyBegunAt(begunAt + 1)]
      const turned = begunAt % 4 === 0 ? copies : copies.toReversed()
      await Promise.all(
        nodes.map((node, index) => node.call('copies', 'keepCopy', connection, turned[index])),
      )
      expect(await store.copies.findCopy(connection, 'leaves:usr_ada')).toEqual(copies[1])
    }
  })

  it('a head and records read during writes belong together', async () => {
    const connection = uniqueId('connection')
    await store.copies.keepCopy(connection, copyBegunAt(1000))
    const until = inject('isThorough') ? 1100 : 1040
    const states = nodes.map((node, index) => ({ node, index, done: false }))
    const writing = states.map(async (state) => {
      for (let begunAt = 1001 + state.index; begunAt < until; begunAt += 2) {
        await state.node.call('copies', 'keepCopy', connection, copyBegunAt(begunAt))
      }
      state.done = true
    })
    while (states.some(({ done }) => !done)) {
      const copy = await store.copies.findCopy(connection, 'leaves:usr_ada')
      expect(copy).toEqual(copyBegunAt(copy?.begunAt ?? 0))
      await new Promise(setImmediate)
    }
    await Promise.all(writing)
  })

  it('a confirmation updates the head and leaves the records', async () => {
    const connection = uniqueId('connection')
    const copy = copyBegunAt(1000)
    await store.copies.keepCopy(connection, copy)
    const confirmed = {
      begunAt: 5000,
      fetchedAt: 5040,
      reach: { pastDays: 1, futureDays: 2 },
      missingSince: 4000,
      doubt: {
        lostHash: 'lost',
        since: 5001,
        ofAll: true,
        isReplaced: false,
        readings: 1,
        ofMany: false,
      },
      held: { lv_1: 5002 },
      emptiedAt: 5003,
    }
    const { records, ...head } = copy
    expect(await confirm(connection, { ...head, ...confirmed })).toBe(true)
    expect(await store.copies.findCopy(connection, copy.key)).toEqual({
      ...copy,
      ...confirmed,
    })
    expect(records).toHaveLength(1)
  })

  it('a confirmation of other content, an older refresh or a missing copy is ignored', async () => {
    const connection = uniqueId('connection')
    const copy = copyBegunAt(1000)
    expect(await confirm(connection, copy)).toBe(false)
    await store.copies.keepCopy(connection, copy)
    const other = { ...copy, contentHash: 'other', begunAt: 2000 }
    expect(await confirm(connection, other)).toBe(false)
    expect(await confirm(connection, { ...copy, begunAt: 999 })).toBe(false)
    expect(await store.copies.findCopy(connection, copy.key)).toEqual(copy)
  })

  it('of several copies confirmed at once, each is marked by itself if it is unchanged', async () => {
    const [connection, other] = [uniqueId('connection'), uniqueId('connection')]
    const keys = ['leaves:usr_ada', 'schedules', 'tasks:prj "web"', 'user:usr_ada']
    const [first, later, another, ...same] = keys.map((key) => copyBegunAt(1000, { key }))
    for (const copy of [first!, another!, ...same]) await store.copies.keepCopy(connection, copy)
    await store.copies.keepCopy(connection, { ...later!, begunAt: 3000 })
    await store.copies.keepCopy(other, first!)
    const said = [first!, later!, { ...another!, contentHash: 'other' }, ...same].map((copy) => ({
      ...copy,
      begunAt: 2000,
      fetchedAt: 2010,
    }))
    const noted = await store.copies.confirmCopies(connection, said)
    expect([...noted].toSorted()).toEqual([first!.key, 'user:usr_ada'])
    const heads = await store.copies.findHeads(connection, keys)
    expect(heads.map(({ key, begunAt }) => [key, begunAt]).toSorted()).toEqual([
      [first!.key, 2000],
      [later!.key, 3000],
      [another!.key, 1000],
      ['user:usr_ada', 2000],
    ])
    expect(await store.copies.findHeads(other, keys)).toMatchObject([{ begunAt: 1000 }])
    expect(await store.copies.confirmCopies(connection, [])).toEqual(new Set())
  })

  it('of confirmations at the same time, each counts by itself, whatever the others say of the same copy', async () => {
    const [first, second] = [copyBegunAt(1000), copyBegunAt(1000, { contentHash: 'other' })]
    const [connection, other] = [uniqueId('connection'), uniqueId('connection')]
    await store.copies.keepCopy(connection, first)
    await store.copies.keepCopy(other, second)
    const said = [
      { of: connection, head: { ...first, begunAt: 2000, fetchedAt: 2010 } },
      { of: connection, head: { ...second, begunAt: 3000, fetchedAt: 3010 } },
      { of: other, head: { ...first, begunAt: 3000, fetchedAt: 3010 } },
      { of: other, head: { ...second, begunAt: 2000, fetchedAt: 2010 } },
    ]
    const noted = await Promise.all(said.map(({ of, head }) => confirm(of, head)))
    expect(noted).toEqual([true, false, false, true])
    for (const [of, { contentHash }] of [[connection, first] as const, [other, second] as const]) {
      const heads = await store.copies.findHeads(of, [first.key])
      expect(heads).toMatchObject([{ contentHash, begunAt: 2000, fetchedAt: 2010 }])
    }
  })

  it('confirming the same copies at once in any order does not deadlock', async () => {
    const connection = uniqueId('connection')
    const copies = Array.from({ length: 40 }, (_, number) =>
      copyBegunAt(1000, { key: `leaves:usr_${number}` }),
    )
    for (const copy of copies) await store.copies.keepCopy(connection, copy)
    const rounds = Array.from({ length: 10 }, (_, round) => {
      const begunAt = 2000 + round
      const said = copies.map((copy) => ({ ...copy, begunAt, fetchedAt: begunAt }))
      return store.copies.confirmCopies(connection, round % 2 === 0 ? said : said.toReversed())
    })
    await Promise.all(rounds)
    const heads = await store.copies.findHeads(
      connection,
      copies.map(({ key }) => key),
    )
    expect(new Set(heads.map(({ begunAt }) => begunAt))).toEqual(new Set([2009]))
  })

  it('a copy for a person who must be in a feed is stored only while they are', async () => {
    const connection = uniqueId('connection')
    const feed = adasFeed()
    const { companyId, userIds } = feed
    const [userId = ''] = userIds
    const keep = (ofCompany = companyId): Promise<boolean> =>
      store.copies.keepCopy(connection, copyBegunAt(1000), {
        whileInFeed: { companyId: ofCompany, userId },
      })
    expect(await keep()).toBe(false)
    await store.feeds.createFeed(feed, linkTo(feed))
    expect(await keep()).toBe(true)
    expect(await keep(uniqueId('company'))).toBe(false)
    await removeFeed(store, feed)
    expect(await keep()).toBe(false)
  })

  it('a dropped copy is gone, and an older one may be stored again', async () => {
    const connection = uniqueId('connection')
    for (const key of ['leaves:usr_ada', 'leaves:usr_bob', 'leaves:usr_cleo']) {
      await store.copies.keepCopy(connection, copyBegunAt(1000, { key }))
    }
    await store.copies.dropCopies(connection, ['leaves:usr_ada', 'leaves:usr_bob', 'none'])
    await store.copies.dropCopies(connection, [])
    expect(await store.copies.findCopy(connection, 'leaves:usr_ada')).toBeUndefined()
    expect(await store.copies.findCopy(connection, 'leaves:usr_bob')).toBeUndefined()
    expect(await store.copies.findCopy(connection, 'leaves:usr_cleo')).toBeDefined()
    expect(await store.copies.keepCopy(connection, copyBegunAt(500))).toBe(true)
  })
}
