/*
 * Any readings of a few people over some days. Whose a leave is then follows from the readings alone: it becomes the
 * reader's if they may own it, it has gone from all others for whom it came, and from its owner a day ago.
 */
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'

import { type LeavesRead, ownerLapsesAfterMs } from '../../src/domain/leave.ts'
import { firstRead, ownersOf, readingOf, uniqueId } from './fixtures.ts'
import type { Stores } from './stores.ts'

const people = ['usr_ada', 'usr_bob', 'usr_cleo']
const leaveIds = ['lv_1', 'lv_2']
const quarterDayMs = ownerLapsesAfterMs / 4

/** What a reading says of one leave. */
const word = fc.constantFrom('present', 'absent', 'unsaid')
/** The pauses add up to a day, or to a moment less or more. */
const pauseMs = fc.constantFrom(0, 1, quarterDayMs - 1, quarterDayMs, 2 * quarterDayMs)

const steps = fc.array(
  fc.record({
    userId: fc.constantFrom(...people),
    words: fc.tuple(word, word),
    mayOwn: fc.constantFrom(true, true, true, false),
    pauseMs,
  }),
  { minLength: 1, maxLength: 24 },
)

/** What `LeaveProofStore` promises over time. */
export function testClaimHistories({ store }: Stores): void {
  it('a leave has at most one owner and moves only after a day away from that owner', async () => {
    const history = steps.map(readingsOf)
    const check = fc.asyncProperty(history, (readings) => followsHistory(readings, store))
    await fc.assert(check, { numRuns: inject('isThorough') ? 200 : 15 })
  })
}

type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never

function readingsOf(history: readonly Step[]): readonly LeavesRead[] {
  let now = firstRead
  return history.map(({ userId, words, mayOwn, ...step }) => {
    now += step.pauseMs
    const said = (told: string): readonly string[] =>
      leaveIds.filter((_, index) => words[index] === told)
    return readingOf(userId, { present: said('present'), absent: said('absent'), mayOwn, now })
  })
}

async function followsHistory(
  readings: readonly LeavesRead[],
  store: Stores['store'],
): Promise<void> {
  const connection = uniqueId('connection')
  for (const [index, reading] of readings.entries()) {
    const told = await store.proofs.noteReading(connection, reading)
    const kept = await store.proofs.findClaims(connection, reading.present)
    expect(new Set(told)).toEqual(new Set(kept))
    const read = readings.slice(0, index + 1)
    for (const leaveId of leaveIds) {
      expect(await ownersOf(store, connection, leaveId)).toEqual(ownersAfter(read, leaveId))
    }
    const owned = leaveIds.filter((leaveId) => isStillTheirs(read, leaveId, reading.userId))
    const listed = await store.proofs.listOwned(connection, reading.userId)
    expect(listed.toSorted()).toEqual(owned)
  }
}

/** Whose the leave is when these have been made: nobody's, or one person's. */
function ownersAfter(readings: readonly LeavesRead[], leaveId: string): readonly string[] {
  let owners: readonly string[] = []
  for (const [index, reading] of readings.entries()) {
    const before = readings.slice(0, index)
    const isFree = (userId: string): boolean =>
      isFreeOf(before, { ...reading, userId }, { leaveId, isOwner: owners.includes(userId) })
    const others = people.filter((userId) => userId !== reading.userId)
    if (!reading.mayOwn || !reading.present.includes(leaveId)) continue
    if (others.every(isFree)) owners = [reading.userId]
  }
  return owners
}

/** Whether the leave has never come for that person or has gone from them: from its owner for a day. */
function isFreeOf(
  readings: readonly LeavesRead[],
  { userId, now }: LeavesRead,
  { leaveId, isOwner }: { readonly leaveId: string; readonly isOwner: boolean },
): boolean {
  const own = readings.filter((reading) => reading.userId === userId)
  const came = own.findLastIndex(({ present }) => present.includes(leaveId))
  if (came === -1) return true
  const missed = own.slice(came).find(({ absent }) => absent.includes(leaveId))
  return missed !== undefined && (!isOwner || now - missed.now >= ownerLapsesAfterMs)
}

function isStillTheirs(readings: readonly LeavesRead[], leaveId: string, userId: string): boolean {
  if (!ownersAfter(readings, leaveId).includes(userId)) return false
  const lastSaid = readings.findLast(
    (reading) =>
      reading.userId === userId && [...reading.present, ...reading.absent].includes(leaveId),
  )
  return lastSaid?.present.includes(leaveId) === true
}
