import { expect, it } from 'vitest'

import { isIdentifier } from '../../src/wire/fields.ts'
import { copyBegunAt, departureOf, makeFeed, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

/** What a collation, a type of column or a careless path might take for one. */
const alike = [
  'usr_é',
  'usr_e\u0301',
  'USR_É',
  'usr_e',
  'usr_e ',
  ' usr_e',
  'usr_e\u00a0',
  'usr_e\u200b',
  'usr_e\u00ad',
  '\ufeffusr_e',
  'usr_e\uffff',
  'usr_\u{1f600}',
  'usr_\u{1f601}',
  'usr_ß',
  'usr_ss',
  'usr_ı',
  'usr_i',
  'usr_01',
  'usr_1',
  'usr_1.0',
  '1e3',
  '1000',
  '0x10',
  'usr:1',
  'usr/1',
  '__proto__',
  'constructor',
  '%',
  '_',
  '\\',
  '\\\\',
  "usr_'",
  'x'.repeat(255),
  'x'.repeat(256),
  '\u{1f600}'.repeat(256),
]

/** That ids that look alike are as many ids in every table. */
export function testDistinctIds({ store }: Stores): void {
  const { people, proofs, copies, departures, peopleFinder } = store

  it('similar-looking ids are different people', async () => {
    expect(alike.filter((id) => !isIdentifier(id))).toEqual([])
    const companyId = uniqueId('company')
    const seen = alike.map((id) => ({ id }))
    await people.seePeople(companyId, seen, 1)
    await people.seePeople(companyId, seen.toReversed(), 2)
    const listed = await people.listPeople(companyId)
    expect(listed.map(({ userId }) => userId).toSorted()).toEqual(alike.toSorted())
    expect(await peopleFinder.countPeople(companyId)).toBe(alike.length)
    const { userIds, id } = await makeFeed(store, { companyId, userIds: alike, audience: 'others' })
    expect((await store.feeds.findFeed(id))?.userIds).toEqual(userIds)
    for (const userId of alike) {
      expect(await peopleFinder.findPeople(companyId, [userId])).toEqual([userId])
      await departures.keepDeparture(departureOf(companyId, userId))
    }
    for (const userId of alike) {
      expect(await departures.findDeparture(companyId, userId)).toMatchObject({ userId })
    }
  })

  it('an id that the Read API does not use is not a person', async () => {
    const companyId = uniqueId('company')
    await people.seePeople(companyId, [{ id: 'usr_1' }, { id: 'USR_1' }], 1)
    await people.keepReading(companyId, { userId: 'USR_1', state: 'misnamed', readAt: 2 }, 3)
    expect(await peopleFinder.countPeople(companyId)).toBe(1)
    expect(await peopleFinder.listPeopleAfter(companyId, '', 5)).toEqual(['usr_1'])
    expect(await peopleFinder.listAlike(companyId, 'usr_1', 5)).toEqual([])
    expect(await peopleFinder.findPeople(companyId, ['usr_1', 'USR_1'])).toEqual(['usr_1'])
    const ids = ['usr_1', 'USR_1', 'usr_2']
    expect(await peopleFinder.listInState(companyId, ids, 'misnamed')).toEqual(['USR_1'])
    expect(await peopleFinder.listInState(companyId, ids, 'unread')).toEqual(['usr_1'])
    await people.keepReading(
      companyId,
      { userId: 'USR_1', state: 'active', user: { id: 'USR_1' }, readAt: 3 },
      4,
    )
    expect(await peopleFinder.listAlike(companyId, 'usr_1', 5)).toEqual(['USR_1'])
  })

  it('forgotten claims do not block others', async () => {
    const connection = uniqueId('connection')
    await proofs.noteReading(connection, readingOf('USR_1', { present: ['lv_1', 'lv_2'] }))
    await proofs.noteReading(connection, readingOf('usr_1', { present: ['lv_1'] }))
    await proofs.forgetClaims(connection, 'USR_1')
    expect(await proofs.listClaimed(connection, 'USR_1')).toEqual([])
    expect(await proofs.listDisputed(connection, 10)).toEqual([])
    expect(await proofs.findClaims(connection, ['lv_1', 'lv_2'])).toMatchObject([
      { leaveId: 'lv_1', userId: 'usr_1', isOwner: false },
    ])
    await proofs.noteReading(connection, readingOf('usr_1', { present: ['lv_1'] }))
    expect(await proofs.listOwned(connection, 'usr_1')).toEqual(['lv_1'])
  })

  it('similar-looking ids are different leaves, copies and owners', async () => {
    const connection = uniqueId('connection')
    for (const [at, id] of alike.entries()) {
      await proofs.noteReading(connection, readingOf(id, { present: [id] }))
      await copies.keepCopy(connection, copyBegunAt(1000 + at, { key: `leaves:${id}` }))
    }
    for (const [at, id] of alike.entries()) {
      expect(await proofs.listOwned(connection, id)).toEqual([id])
      const claims = await proofs.findClaims(connection, [id])
      expect(claims.map(({ leaveId, userId }) => [leaveId, userId])).toEqual([[id, id]])
      const copy = await copies.findCopy(connection, `leaves:${id}`)
      expect(copy?.contentHash).toBe(`hash of ${1000 + at}`)
    }
  })
}
