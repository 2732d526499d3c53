import { expect, it } from 'vitest'

import { departureOf, makeFeed, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What `CompanyWorkStore` promises, and `DepartureStore` about what it tells. */
export function testCompanyWork({ store }: Stores): void {
  const { companyWork, departures, people } = store

  async function keep(companyId: string, userId: string, changes: object): Promise<void> {
    const departure = { ...departureOf(companyId, userId), leftAt: null, ...changes }
    await people.seePeople(companyId, [{ id: userId, firstName: `First ${userId}` }], 1)
    await departures.keepDeparture(departure)
  }

  it('sums and lists the departures that are held back', async () => {
    const companyId = uniqueId('company')
    expect(await companyWork.sumHeldBack(companyId)).toEqual({ count: 0, until: 0 })
    await keep(companyId, 'b', { since: 20, isHeldBack: true })
    await keep(companyId, 'a', { since: 10, isHeldBack: true, because: 'user_missing' })
    await keep(companyId, 'undecided', { since: 30 })
    await keep(uniqueId('company'), 'a', { since: 40, isHeldBack: true })
    expect(await companyWork.sumHeldBack(companyId)).toEqual({ count: 2, until: 20 })
    const ofA = { id: 'a', firstName: 'First a', because: 'user_missing', since: 10 }
    expect(await companyWork.listHeldBack(companyId, 1)).toMatchObject([ofA])
    expect(await companyWork.listHeldBack(companyId, 9)).toMatchObject([ofA, { id: 'b' }])
  })

  it('believes those that were seen, and nobody if there are others by now', async () => {
    const companyId = uniqueId('company')
    await keep(companyId, 'a', { since: 10, isHeldBack: true })
    await keep(companyId, 'b', { since: 20, isHeldBack: true })
    await keep(companyId, 'later', { since: 30, isHeldBack: true })
    const seen = { count: 1, until: 20 }
    expect(await departures.believeHeldBack(companyId, seen, 99)).toBeUndefined()
    expect(await departures.findDeparture(companyId, 'a')).toMatchObject({ isHeldBack: true })
    const believed = await departures.believeHeldBack(companyId, { ...seen, count: 2 }, 99)
    expect(believed).toHaveLength(2)
    for (const userId of ['a', 'b']) {
      const left = { isHeldBack: false, leftAt: 99 }
      expect(await departures.findDeparture(companyId, userId)).toMatchObject(left)
    }
    expect(await companyWork.sumHeldBack(companyId)).toEqual({ count: 1, until: 30 })
  })

  it('counts open calendars, and those that a program has asked for since then', async () => {
    const companyId = uniqueId('company')
    const poll = async (
      feedId: string,
      at: number,
      client: 'google' | 'browser',
    ): Promise<void> => {
      const [link] = await store.links.listLinks([feedId])
      const polls = { client, firstPolledAt: 1, lastPolledAt: at, lastStatus: 200, polls: 1 }
      const tokenHash = link?.tokenHash ?? new Uint8Array()
      await store.activity.addActivity([{ ...polls, tokenHash, hasChangeOf: null }])
    }
    const [recent, earlier, looked] = await Promise.all(
      ['a', 'b', 'c'].map((id) => makeFeed(store, { companyId, userIds: [id] })),
    )
    const revoked = await makeFeed(store, { companyId, revokedAt: 1 })
    await poll(recent!.id, 100, 'google')
    await poll(earlier!.id, 99, 'google')
    await poll(looked!.id, 100, 'browser')
    await poll(revoked.id, 100, 'google')
    expect(await companyWork.countCalendars(companyId, 100)).toEqual({ open: 3, asked: 1 })
    expect(await companyWork.countCalendars(uniqueId('company'), 1)).toEqual({ open: 0, asked: 0 })
  })

  it('counts whom each trouble concerns', async () => {
    const of = { companyId: uniqueId('company'), connectionId: uniqueId('connection'), now: 500 }
    expect(await companyWork.countTroubles(of)).toEqual({
      disputed: 0,
      mailRefused: 0,
      misnamed: 0,
    })
    for (const id of ['usr_1', 'usr_2']) {
      const present = ['lv_1', 'lv_2']
      await store.proofs.noteReading(of.connectionId, readingOf(id, { present }))
    }
    const [refused, taken] = await Promise.all(
      ['a', 'b'].map((id) => makeFeed(store, { companyId: of.companyId, userIds: [id] })),
    )
    for (const feed of [refused!, taken!]) {
      const subject = {
        companyId: of.companyId,
        feedId: feed.id,
        userIds: feed.userIds,
        label: null,
      }
      const note = (action: 'mail_refused' | 'mail_sent', at: number): Promise<void> =>
        store.audit.addEntry({ at, actor: 'bridge', action }, subject)
      await note('mail_refused', 300)
      await note('mail_refused', 310)
      if (feed === taken) await note('mail_sent', 320)
    }
    await people.seePeople(of.companyId, [{ id: 'usr_1' }], 1)
    await people.keepReading(of.companyId, { userId: 'usr_1', state: 'misnamed', readAt: 1 }, 9)
    expect(await companyWork.countTroubles(of)).toEqual({
      disputed: 2,
      mailRefused: 1,
      misnamed: 1,
    })
  })
}
