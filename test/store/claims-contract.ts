import { beforeEach, describe, expect, inject, it } from 'vitest'

import { type LeaveClaim, type LeavesRead, ownerLapsesAfterMs } from '../../src/domain/leave.ts'
import { firstRead, makeFeed, ownersOf, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const hourMs = 3_600_000
const dayLater = firstRead + ownerLapsesAfterMs

/** What `LeaveProofStore` promises of whose each leave is. */
export function testClaims({ store, nodes }: Stores): void {
  const { proofs } = store
  let connection: string

  beforeEach(() => {
    connection = uniqueId('connection')
  })

  function note(userId: string, changes: Partial<LeavesRead>): Promise<readonly LeaveClaim[]> {
    return proofs.noteReading(connection, readingOf(userId, changes))
  }

  const ownerOf = (leaveId: string) => ownersOf(store, connection, leaveId)

  it('a leave belongs to the first person it is returned for, however often', async () => {
    const claims = ['lv_1', 'lv_2'].map((leaveId) => ownClaim(leaveId, 'usr_ada'))
    expect(await note('usr_ada', { present: ['lv_1', 'lv_2', 'lv_1'] })).toEqual(claims)
    const later = firstRead + hourMs
    expect(await note('usr_ada', { present: ['lv_2'], now: later })).toEqual([claims[1]])
    expect(await proofs.findClaims(connection, ['lv_1', 'lv_2', 'lv_3'])).toEqual(claims)
    expect(await note('usr_ada', {})).toEqual([])
    expect(await proofs.findClaims(connection, [])).toEqual([])
  })

  it('another person’s claim leaves the leave with its owner and is reported', async () => {
    await note('usr_ada', { present: ['lv_1'] })
    const since = firstRead + hourMs
    const claims = [
      ownClaim('lv_1', 'usr_ada'),
      {
        leaveId: 'lv_1',
        userId: 'usr_bob',
        isOwner: false,
        since,
        absentSince: null,
        isGone: false,
      },
    ]
    expect(inOrder(await note('usr_bob', { present: ['lv_1'], now: since }))).toEqual(claims)
    expect(inOrder(await note('usr_ada', { present: ['lv_1'], now: dayLater }))).toEqual(claims)
    expect(inOrder(await proofs.findClaims(connection, ['lv_1']))).toEqual(claims)
  })

  it('a person who may not own a leave never does, first or a day after all others', async () => {
    await note('usr_bob', { present: ['lv_1'], mayOwn: false })
    expect(await ownerOf('lv_1')).toEqual([])
    await note('usr_ada', { present: ['lv_2'] })
    await note('usr_ada', { absent: ['lv_2'] })
    await note('usr_bob', { present: ['lv_1', 'lv_2'], mayOwn: false, now: dayLater })
    expect([await ownerOf('lv_1'), await ownerOf('lv_2')]).toEqual([[], ['usr_ada']])
  })

  it('a person who may own a leave owns it once it was returned for them alone, and keeps it', async () => {
    await note('usr_ada', { present: ['lv_1'], mayOwn: false })
    await note('usr_ada', { present: ['lv_1'] })
    await note('usr_ada', { present: ['lv_1'], mayOwn: false })
    expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
  })

  it('a leave returned for two who may not own it has no owner until one lacks it for a day', async () => {
    for (const user of ['usr_ada', 'usr_bob']) {
      await note(user, { present: ['lv_1'], mayOwn: false })
    }
    for (const user of ['usr_ada', 'usr_bob']) await note(user, { present: ['lv_1'] })
    expect(await ownerOf('lv_1')).toEqual([])
    await note('usr_ada', { absent: ['lv_1'] })
    await note('usr_bob', { present: ['lv_1'], now: dayLater })
    expect(await ownerOf('lv_1')).toEqual(['usr_bob'])
  })

  it('a leave moves once it was returned for no other person for a day, not earlier', async () => {
    await note('usr_ada', { present: ['lv_1'] })
    await note('usr_bob', { present: ['lv_1'] })
    await note('usr_ada', { absent: ['lv_1'] })
    await note('usr_bob', { present: ['lv_1'], now: dayLater - 1 })
    expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
    const moved = [ownClaim('lv_1', 'usr_bob')]
    expect(await note('usr_bob', { present: ['lv_1'], now: dayLater })).toEqual(moved)
    expect(await proofs.findClaims(connection, ['lv_1'])).toEqual(moved)
    await note('usr_ada', { present: ['lv_1'], now: dayLater })
    expect(await ownerOf('lv_1')).toEqual(['usr_bob'])
  })

  it('a leave moves only after a day away from its owner, when it is gone from all others too', async () => {
    for (const user of ['usr_ada', 'usr_bob', 'usr_cleo']) await note(user, { present: ['lv_1'] })
    await note('usr_ada', { absent: ['lv_1'] })
    await note('usr_bob', { present: ['lv_1'], now: dayLater })
    expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
    await note('usr_cleo', { absent: ['lv_1'], now: dayLater })
    await note('usr_bob', { present: ['lv_1'], now: dayLater - 1 })
    expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
    await note('usr_bob', { present: ['lv_1'], now: dayLater })
    expect(await ownerOf('lv_1')).toEqual(['usr_bob'])
  })

  it('a leave returned for several at once has no owner while it is', async () => {
    for (const user of ['usr_ada', 'usr_bob']) {
      await note(user, { present: ['lv_1'], mayOwn: false })
    }
    await note('usr_ada', { present: ['lv_1'] })
    expect(await ownerOf('lv_1')).toEqual([])
    await note('usr_bob', { absent: ['lv_1'] })
    await note('usr_ada', { present: ['lv_1'] })
    expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
  })

  it('the day restarts when the leave is returned for its owner, and runs while it is not', async () => {
    await note('usr_ada', { present: ['lv_1', 'lv_2'] })
    await note('usr_ada', { absent: ['lv_1', 'lv_2'] })
    await note('usr_ada', { present: ['lv_1'], absent: ['lv_2'], now: firstRead + hourMs })
    await note('usr_ada', { absent: ['lv_1', 'lv_2'], now: firstRead + 2 * hourMs })
    await note('usr_bob', { present: ['lv_1', 'lv_2'], now: dayLater + hourMs })
    expect([await ownerOf('lv_1'), await ownerOf('lv_2')]).toEqual([['usr_ada'], ['usr_bob']])
  })

  it('a gone owner is reported, and moves the leave no sooner', async () => {
    await note('usr_ada', { present: ['lv_1'] })
    await note('usr_bob', { present: ['lv_1'] })
    await note('usr_ada', { absent: ['lv_1'], isGone: true })
    const [adas] = inOrder(await proofs.findClaims(connection, ['lv_1']))
    expect(adas).toEqual({ ...ownClaim('lv_1', 'usr_ada'), absentSince: firstRead, isGone: true })
    await note('usr_bob', { present: ['lv_1'], now: dayLater - 1 })
    expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
    await note('usr_ada', { absent: ['lv_1'], now: dayLater - 1 })
    await note('usr_bob', { present: ['lv_1'], now: dayLater })
    expect(await ownerOf('lv_1')).toEqual(['usr_bob'])
  })

  it('a claim without ownership ends a day after its last return, an owner’s claim does not', async () => {
    await note('usr_ada', { present: ['lv_1'] })
    await note('usr_bob', { present: ['lv_1'] })
    for (const user of ['usr_ada', 'usr_bob']) {
      for (const now of [firstRead, dayLater - 1]) await note(user, { absent: ['lv_1'], now })
    }
    expect(await proofs.findClaims(connection, ['lv_1'])).toHaveLength(2)
    for (const user of ['usr_ada', 'usr_bob']) {
      await note(user, { absent: ['lv_1'], now: dayLater })
    }
    expect(await proofs.findClaims(connection, ['lv_1'])).toEqual([
      { ...ownClaim('lv_1', 'usr_ada'), absentSince: firstRead },
    ])
    expect(await proofs.listDisputed(connection, 9)).toEqual([])
  })

  it('the absence of a leave counts for nothing where it was never returned', async () => {
    expect(await note('usr_ada', { absent: ['lv_1'] })).toEqual([])
    await note('usr_bob', { present: ['lv_1'] })
    await note('usr_ada', { absent: ['lv_1'] })
    expect(await proofs.findClaims(connection, ['lv_1'])).toEqual([ownClaim('lv_1', 'usr_bob')])
  })

  it('claims of one connection do not affect another connection', async () => {
    await note('usr_ada', { present: ['lv_1'] })
    const other = uniqueId('connection')
    const bobs = readingOf('usr_bob', { present: ['lv_1'] })
    expect(await proofs.noteReading(other, bobs)).toEqual([ownClaim('lv_1', 'usr_bob')])
    await proofs.noteReading(other, readingOf('usr_ada', { absent: ['lv_1'] }))
    expect(await proofs.findClaims(connection, ['lv_1'])).toEqual([ownClaim('lv_1', 'usr_ada')])
    expect(await proofs.listOwned(connection, 'usr_bob')).toEqual([])
    expect(await proofs.listDisputed(connection, 9)).toEqual([])
  })

  it('nothing is stored about a person who must be in a feed and is not', async () => {
    const [companyId, userId] = [uniqueId('company'), uniqueId('usr')]
    const changes = { companyId, present: ['lv_1'], onlyInFeed: true }
    await makeFeed(store, { companyId: uniqueId('company'), userIds: [userId] })
    expect(await note(userId, changes)).toEqual([])
    expect(await proofs.findClaims(connection, ['lv_1'])).toEqual([])
    await makeFeed(store, { companyId, userIds: [userId] })
    expect(await note(userId, changes)).toEqual([ownClaim('lv_1', userId)])
  })

  it('records more leaves than fit into one statement', async () => {
    const length = inject('isThorough') ? 5001 : 1001
    const present = Array.from({ length }, (_, index) => `lv_${index}`)
    expect(await note('usr_ada', { present })).toHaveLength(length)
    expect(await note('usr_bob', { present })).toHaveLength(2 * length)
    expect(await proofs.findClaims(connection, present)).toHaveLength(2 * length)
    await note('usr_ada', { absent: present })
    expect(await note('usr_bob', { present, now: dayLater })).toHaveLength(length)
    expect(await proofs.listOwned(connection, 'usr_bob')).toHaveLength(length)
    expect(await proofs.listDisputed(connection, 9)).toEqual([])
  })

  it('two nodes recording the same leaves for two people at once agree on one owner', async () => {
    for (let round = 0; round < (inject('isThorough') ? 40 : 10); round += 1) {
      const leaveIds = [`lv_${round}`, `lv_${round}b`]
      const present = [leaveIds, leaveIds.toReversed()]
      await Promise.all(
        ['usr_ada', 'usr_bob'].map((user, index) => {
          const reading = readingOf(user, { present: present[index] ?? [] })
          return nodes[index]!.call('proofs', 'noteReading', connection, reading)
        }),
      )
      expect(await proofs.findClaims(connection, leaveIds)).toHaveLength(4)
      const [first, second] = [await ownerOf(leaveIds[0]!), await ownerOf(leaveIds[1]!)]
      expect(first).toHaveLength(1)
      expect(second).toEqual(first)
    }
  })

  describe('instants in the future, from a clock that ran ahead', () => {
    const future = firstRead + 3 * ownerLapsesAfterMs

    it('a future instant counts from the next reading, both for a return and for an absence', async () => {
      await note('usr_ada', { present: ['lv_1', 'lv_2'], now: future })
      await note('usr_ada', { absent: ['lv_2'], now: future })
      const claims = await note('usr_ada', { present: ['lv_1'], absent: ['lv_2'] })
      expect(claims).toEqual([ownClaim('lv_1', 'usr_ada')])
      expect(inOrder(await proofs.findClaims(connection, ['lv_1', 'lv_2']))).toEqual([
        ownClaim('lv_1', 'usr_ada'),
        { ...ownClaim('lv_2', 'usr_ada'), absentSince: firstRead },
      ])
    })

    it('a future instant moves no leave before a day has passed', async () => {
      await note('usr_ada', { present: ['lv_1'] })
      await note('usr_ada', { absent: ['lv_1'], now: future })
      await note('usr_bob', { present: ['lv_1'], now: dayLater })
      expect(await ownerOf('lv_1')).toEqual(['usr_ada'])
    })
  })
}

function ownClaim(leaveId: string, userId: string): LeaveClaim {
  return { leaveId, userId, isOwner: true, since: firstRead, absentSince: null, isGone: false }
}

function inOrder(claims: readonly LeaveClaim[]): readonly LeaveClaim[] {
  const nameOf = (claim: LeaveClaim): string => `${claim.leaveId} ${claim.userId}`
  return claims.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}
