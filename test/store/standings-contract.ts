import { expect, it } from 'vitest'

import type { Standing, StandingOf } from '../../src/domain/connection.ts'
import {
  copyBegunAt,
  departureOf,
  makeFeed,
  linkTo,
  proofOf,
  readingOf,
  uniqueId,
} from './fixtures.ts'
import type { Stores } from './stores.ts'

const now = Date.UTC(2026, 0, 5, 12)

/** What `StandingStore` promises. */
export function testStandings({ store }: Stores): void {
  function standing(of: Partial<StandingOf> = {}): Promise<Standing> {
    const all = { connectionId: 'none', companyId: 'none', keys: [], userIds: [], now }
    return store.standings.readStanding({ ...all, ...of })
  }

  it('without data nothing is known, and the filter was never tried', async () => {
    const ids = { keys: ['schedules'], userIds: ['usr_ada'] }
    for (const asked of [{}, ids]) {
      const { heads, left, unsettled, inFull, proof } = await standing(asked)
      expect([heads, left, unsettled, inFull('usr_ada')]).toEqual([new Map(), [], [], []])
      expect(proof).toMatchObject({ state: 'unproven', reason: 'not_asked', since: 0 })
    }
  })

  it('heads are returned for the requested keys that exist', async () => {
    const [connectionId, other] = [uniqueId('connection'), uniqueId('connection')]
    const copies = ['schedules', `tasks:prj '"\\{é🎿}`, 'user:usr_ada'].map((key, at) =>
      copyBegunAt(1000 + at, { key }),
    )
    const doubt = {
      lostHash: 'lost',
      since: 1001,
      ofAll: false,
      isReplaced: false,
      readings: 2,
      ofMany: true,
    }
    const full = copyBegunAt(2000, {
      key: 'timesheets:usr_ada',
      reach: { pastDays: 0, futureDays: 365 },
      missingSince: 900,
      withReasons: true,
      doubt,
      held: { 'ts_1 "%"': 1002, lv_2: 1003 },
      emptiedAt: 1004,
    })
    for (const copy of [...copies, full]) await store.copies.keepCopy(connectionId, copy)
    await store.copies.keepCopy(other, copyBegunAt(3000, { key: 'leaves:usr_ada' }))
    const keys = [...copies.slice(0, 2), full].map(({ key }) => key)
    const { heads } = await standing({ connectionId, keys: [...keys, 'leaves:usr_ada'] })
    expect([...heads.keys()].toSorted()).toEqual(keys.toSorted())
    for (const { records: _, ...head } of [...copies.slice(0, 2), full]) {
      expect(heads.get(head.key)).toEqual(head)
    }
  })

  it('of these people, those believed to have left in that company are listed', async () => {
    const companyId = uniqueId('company')
    const { userIds } = await makeFeed(store, {
      companyId,
      audience: 'others',
      userIds: ['usr_ada', 'usr_bob', 'usr_cem'].map(uniqueId),
    })
    const [ada = '', bob = '', cem = ''] = userIds
    for (const userId of [ada, bob]) {
      await store.departures.keepDeparture(departureOf(companyId, userId))
    }
    await store.departures.believeDeparture(departureOf(companyId, ada), now)
    expect((await standing({ companyId, userIds: [ada, bob, cem] })).left).toEqual([ada])
    expect((await standing({ companyId, userIds: [bob, cem] })).left).toEqual([])
    expect((await standing({ userIds: [ada] })).left).toEqual([])
  })

  it('lists unsettled claims of the people: contested ones, and those no longer returned', async () => {
    const connectionId = uniqueId('connection')
    const note = async (userId: string, present: string[], absent: string[] = []): Promise<void> =>
      void (await store.proofs.noteReading(
        connectionId,
        readingOf(userId, { present, absent, now }),
      ))
    await note('usr_ada', ['lv_1', 'lv_2', 'lv_3'])
    await note('usr_bob', ['lv_1', 'lv_4'])
    await note('usr_ada', ['lv_3'], ['lv_2'])
    const of = async (...userIds: string[]): Promise<readonly string[]> => {
      const { unsettled } = await standing({ connectionId, userIds })
      return unsettled.map(({ userId, leaveId }) => `${userId} ${leaveId}`).toSorted()
    }
    expect(await of('usr_ada')).toEqual(['usr_ada lv_1', 'usr_ada lv_2'])
    expect(await of('usr_bob', 'usr_ada', 'usr_ad')).toEqual([
      'usr_ada lv_1',
      'usr_ada lv_2',
      'usr_bob lv_1',
    ])
    const { unsettled } = await standing({ connectionId, userIds: ['usr_ada'] })
    const known = await store.proofs.findClaims(connectionId, ['lv_2'])
    expect(unsettled.find(({ leaveId }) => leaveId === 'lv_2')).toEqual(known[0])
  })

  it('links in full detail are the same as those the store lists', async () => {
    const companyId = uniqueId('company')
    const full = { leaves: { detail: 'full' as const } }
    const ada = uniqueId('usr_ada')
    const common = { companyId, userIds: [ada] }
    const feed = await makeFeed(store, { ...common, ownOptions: { ...full, selfService: true } })
    await store.links.createLink(
      linkTo(feed, { label: 'less', choices: { detail: 'type', locale: 'de' } }),
    )
    await store.links.createLink(linkTo(feed, { label: 'ended', endsAt: now, endingSince: now }))
    await makeFeed(store, { ...common, ownOptions: { leaves: { detail: 'type' } } })
    await makeFeed(store, { ...common, ownOptions: full, revokedAt: 1 })
    await makeFeed(store, { ...common, ownOptions: full, companyId: uniqueId('company') })
    await makeFeed(store, { companyId, ownOptions: full })
    const { inFull } = await standing({ companyId, userIds: [ada, 'usr_none'] })
    const listed = await store.links.listLinksInFull(companyId, ada, now)
    expect(listed).toHaveLength(2)
    expect(inFull(ada)).toHaveLength(2)
    expect(inFull(ada)).toEqual(
      expect.arrayContaining(
        listed.map(({ feed: { audience, options, locale }, link: { choices } }) => ({
          feed: { audience, options, locale },
          link: { choices },
        })),
      ),
    )
    expect(inFull('usr_none')).toEqual([])
  })

  it('the proof is returned as it was saved', async () => {
    const connectionId = uniqueId('connection')
    const proof = proofOf({
      state: 'disproved',
      reason: 'similar_id',
      batteryAt: 6,
      triedAt: 7,
      credential: 'hash',
    })
    await store.proofs.changeProof(connectionId, () => proof)
    expect((await standing({ connectionId })).proof).toEqual(proof)
  })
}
