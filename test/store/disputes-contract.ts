import { beforeEach, describe, expect, it } from 'vitest'

import { type LeaveClaim, type LeavesRead, ownerLapsesAfterMs } from '../../src/domain/leave.ts'
import { firstRead, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const hourMs = 3_600_000
const dayLater = firstRead + ownerLapsesAfterMs

/** What `LeaveProofStore` tells of the claims to leaves: of one person, of several, and against whom. */
export function testDisputes({ store }: Stores): void {
  const { proofs } = store
  let connection: string

  beforeEach(() => {
    connection = uniqueId('connection')
  })

  function note(userId: string, changes: Partial<LeavesRead>): Promise<readonly LeaveClaim[]> {
    return proofs.noteReading(connection, readingOf(userId, changes))
  }

  it('owned leaves are those of the person that are still returned', async () => {
    await note('usr_bob', { present: ['lv_3'] })
    await note('usr_ada', { present: ['lv_1', 'lv_2', 'lv_3'] })
    expect((await proofs.listOwned(connection, 'usr_ada')).toSorted()).toEqual(['lv_1', 'lv_2'])
    await note('usr_ada', { absent: ['lv_1'] })
    expect(await proofs.listOwned(connection, 'usr_ada')).toEqual(['lv_2'])
    await note('usr_ada', { present: ['lv_1'] })
    expect(await proofs.listOwned(connection, 'usr_ada')).toHaveLength(2)
    expect(await proofs.listOwned(connection, 'usr_cleo')).toEqual([])
  })

  it('lists leaves with several claims, in order, up to the limit', async () => {
    await note('usr_bob', { present: ['lv_2', 'lv_1'] })
    await note('usr_ada', { present: ['lv_1', 'lv_2', 'lv_3'] })
    const names = async (limit: number): Promise<readonly string[]> =>
      (await proofs.listDisputed(connection, limit)).map(
        (claim) => `${claim.leaveId} ${claim.userId}`,
      )
    const all = ['lv_1 usr_ada', 'lv_1 usr_bob', 'lv_2 usr_ada', 'lv_2 usr_bob']
    expect(await names(9)).toEqual(all)
    expect(await names(3)).toEqual(all.slice(0, 3))
    await note('usr_bob', { absent: ['lv_1'] })
    await note('usr_ada', { present: ['lv_1'], now: dayLater })
    expect(await names(9)).toEqual(all.slice(2))
  })

  it('lists all disputed claims of the next people, a few people at a time', async () => {
    for (const user of ['usr_ada', 'usr_bob', 'usr_cleo']) {
      await note(user, { present: ['lv_1', 'lv_2', `lv_${user}`] })
    }
    const after = async (user: string, people: number): Promise<readonly string[]> =>
      (await proofs.listDisputedAfter(connection, user, people)).map(
        (claim) => `${claim.userId} ${claim.leaveId}`,
      )
    const ofAda = ['usr_ada lv_1', 'usr_ada lv_2']
    const ofBob = ['usr_bob lv_1', 'usr_bob lv_2']
    expect(await after('', 1)).toEqual(ofAda)
    expect(await after('', 2)).toEqual([...ofAda, ...ofBob])
    expect(await after('usr_ada', 1)).toEqual(ofBob)
    expect(await after('usr_cleo', 1)).toEqual([])
  })

  it('leaves returned for many people are not included', async () => {
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) await note(user, { present: ['lv_1'] })
    expect(await proofs.listDisputedAfter(connection, '', 9)).toEqual([])
  })

  describe('wronged owners', () => {
    const count = (since: number) => proofs.countWrongedOwners(connection, since)

    it('owners are counted, not their leaves', async () => {
      await note('usr_ada', { present: ['lv_1', 'lv_2'] })
      await note('usr_cleo', { present: ['lv_3'] })
      expect(await count(0)).toBe(0)
      await note('usr_bob', { present: ['lv_1', 'lv_2'] })
      expect(await count(0)).toBe(1)
      await note('usr_bob', { present: ['lv_3'] })
      await note('usr_dan', { present: ['lv_1'] })
      expect(await count(0)).toBe(2)
      expect(await proofs.countWrongedOwners(uniqueId('connection'), 0)).toBe(0)
    })

    it('exclude leaves returned for three people, and leaves without an owner', async () => {
      await note('usr_ada', { present: ['lv_1'] })
      for (const user of ['usr_bob', 'usr_cleo']) await note(user, { present: ['lv_1'] })
      for (const user of ['usr_bob', 'usr_cleo']) {
        await note(user, { present: ['lv_2'], mayOwn: false })
      }
      expect(await count(0)).toBe(0)
    })

    it('exclude gone people until they are read again', async () => {
      await note('usr_ada', { present: ['lv_1'] })
      await note('usr_cleo', { present: ['lv_3'] })
      await note('usr_bob', { present: ['lv_1', 'lv_3'] })
      await note('usr_ada', { absent: ['lv_1'], isGone: true })
      expect(await count(0)).toBe(1)
      await note('usr_cleo', { absent: ['lv_3'] })
      expect(await count(0)).toBe(1)
      await note('usr_ada', { absent: ['lv_1'] })
      expect(await count(0)).toBe(2)
      await note('usr_ada', { absent: ['lv_1'], isGone: true })
      await note('usr_ada', { present: ['lv_1'] })
      expect(await count(0)).toBe(2)
    })

    it('only claims first made since the instant count, even if later repeated or absent', async () => {
      await note('usr_ada', { present: ['lv_1'] })
      await note('usr_bob', { present: ['lv_1'] })
      await note('usr_bob', { absent: ['lv_1'], now: firstRead + hourMs })
      expect([await count(firstRead - 1), await count(firstRead)]).toEqual([1, 0])
      await note('usr_bob', { present: ['lv_1'], now: firstRead + 2 * hourMs })
      expect(await count(firstRead)).toBe(0)
    })

    it('a claim from the future is no longer counted after its next reading', async () => {
      await note('usr_ada', { present: ['lv_1', 'lv_2'] })
      await note('usr_bob', { present: ['lv_1', 'lv_2'], now: firstRead + 3 * ownerLapsesAfterMs })
      await note('usr_bob', { present: ['lv_1'], absent: ['lv_2'] })
      expect(await count(firstRead)).toBe(0)
    })
  })
}
