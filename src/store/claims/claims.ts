/* Whose each leave is, row by row: the claims to it, of which one at most is its owner's. */
import type { Transaction } from 'kysely'

import { type LeaveClaim, type LeavesRead, claimsAfter } from '../../domain/leave.ts'
import { inParts } from '../rows.ts'
import type { LeaveOwnerRow, StoreTables } from '../tables.ts'
import { claimOf, claimsFor, claimsOf } from './claim-queries.ts'

/** A claim has eight values. */
const rowsMax = 500

/** The turn of anyone who notes a reading of the connection: none overlooks another. */
export function claimsTurn(connectionId: string): string {
  return `leave_owners:${connectionId}`
}

/** Writes what a reading changes of the claims, and gives all claims to the leaves that came. */
export async function writeReading(
  claims: Transaction<StoreTables>,
  connectionId: string,
  reading: LeavesRead,
): Promise<readonly LeaveClaim[]> {
  const after: LeaveClaim[] = []
  const ids = [...new Set([...reading.present, ...reading.absent])]
  const present = new Set(reading.present)
  for (const part of inParts(ids, rowsMax)) {
    const rows = await claimsOf(claims, connectionId).where('leave_id', 'in', part).execute()
    const before = Map.groupBy(rows.map(claimOf), ({ leaveId }) => leaveId)
    const changes = part.map((leaveId) => {
      const known = before.get(leaveId) ?? []
      const isPresent = present.has(leaveId)
      return { known, left: claimsAfter(known, { ...reading, leaveId, isPresent }) }
    })
    await replace(claims, connectionId, changes.filter(isChange))
    after.push(...changes.flatMap(({ left }) => left).filter(({ leaveId }) => present.has(leaveId)))
  }
  return after
}

/** Takes away all claims of an employee; anyone else who has claims to these leaves keeps them. */
export async function forgetClaims(
  claims: Transaction<StoreTables>,
  connectionId: string,
  userId: string,
): Promise<void> {
  const own = await claimsFor(claims, connectionId, userId).execute()
  for (const part of inParts(own, rowsMax)) {
    const ids = part.map(({ leave_id: id }) => id)
    const rows = await claimsOf(claims, connectionId).where('leave_id', 'in', ids).execute()
    const byLeave = Map.groupBy(rows.map(claimOf), ({ leaveId }) => leaveId)
    const changes = [...byLeave.values()].map((known) => ({
      known,
      left: known.filter((claim) => claim.userId !== userId),
    }))
    await replace(claims, connectionId, changes)
  }
}

/** The claims to one leave before a reading and after it. */
interface ClaimsChange {
  readonly known: readonly LeaveClaim[]
  readonly left: readonly LeaveClaim[]
}

function isChange({ known, left }: ClaimsChange): boolean {
  return (
    known.length !== left.length ||
    left.some((claim) => {
      const before = known.find(({ userId }) => userId === claim.userId)
      if (before?.isOwner !== claim.isOwner) return true
      if (before.isGone !== claim.isGone) return true
      return before.since !== claim.since || before.absentSince !== claim.absentSince
    })
  )
}

/** All claims to a leave say whether there are others. */
async function replace(
  claims: Transaction<StoreTables>,
  connectionId: string,
  changes: readonly ClaimsChange[],
): Promise<void> {
  const touched = changes.flatMap(({ known }) => known[0]?.leaveId ?? [])
  for (const ids of inParts(touched, rowsMax)) {
    await claims
      .deleteFrom('leave_owners')
      .where('connection_id', '=', connectionId)
      .where('leave_id', 'in', ids)
      .execute()
  }
  const rows = changes.flatMap(({ left }) =>
    left.map((claim) => rowOf(connectionId, claim, left.length > 1)),
  )
  for (const part of inParts(rows, rowsMax)) {
    await claims
      .insertInto('leave_owners')
      .values([...part])
      .execute()
  }
}

function rowOf(connectionId: string, claim: LeaveClaim, contested: boolean): LeaveOwnerRow {
  const { leaveId, userId, isOwner, since, absentSince, isGone } = claim
  return {
    connection_id: connectionId,
    leave_id: leaveId,
    user_id: userId,
    contested: contested ? 1 : 0,
    is_owner: isOwner ? 1 : 0,
    since,
    absent_since: absentSince,
    is_gone: isGone ? 1 : 0,
  }
}
