/* What is asked of the claims. A company may have a hundred thousand of them: no question may look at them all. */
import type { Kysely, RawBuilder, SelectQueryBuilder } from 'kysely'

import type { LeaveClaim } from '../../domain/leave.ts'
import { createRests } from '../../json/rest.ts'
import type { LeaveOwnerRow, StoreTables } from '../tables.ts'

export const claimColumns = [
  'leave_id',
  'user_id',
  'is_owner',
  'since',
  'absent_since',
  'is_gone',
] as const
const listedAtOnce = 1000

/** What a row says of a claim. */
export type ClaimRow = Pick<LeaveOwnerRow, (typeof claimColumns)[number]>

/** A question for claims. */
export type ClaimQuery = SelectQueryBuilder<StoreTables, 'leave_owners', ClaimRow>

/** The claims of a connection. */
export function claimsOf(
  queries: Kysely<StoreTables>,
  connectionId: string | RawBuilder<string>,
): ClaimQuery {
  return queries
    .selectFrom('leave_owners')
    .select(claimColumns)
    .where('connection_id', '=', connectionId)
}

/** A person's. Asked for the equal one, SQLite would go through the whole connection by the primary key, and not by the index of people. */
export function claimsFor(
  queries: Kysely<StoreTables>,
  connectionId: string,
  userId: string,
): ClaimQuery {
  return claimsOf(queries, connectionId)
    .where('user_id', '>=', userId)
    .where('user_id', '<=', userId)
}

/** The leaves of these claims of one person, some at a time: SQLite reads without a pause. */
export async function listLeaves(claims: ClaimQuery): Promise<readonly string[]> {
  const leaves: string[] = []
  const rests = createRests()
  for (;;) {
    const page = claims.where('leave_id', '>', leaves.at(-1) ?? '')
    const rows = await page.orderBy('user_id').orderBy('leave_id').limit(listedAtOnce).execute()
    for (const row of rows) leaves.push(row.leave_id)
    if (rows.length < listedAtOnce) return leaves
    if (rests.isDue()) await rests.take()
  }
}

/** The claim that a row holds. */
export function claimOf(row: ClaimRow): LeaveClaim {
  const { leave_id: leaveId, user_id: userId, since, absent_since: absentSince } = row
  const [isOwner, isGone] = [row.is_owner === 1, row.is_gone === 1]
  return { leaveId, userId, isOwner, since, absentSince, isGone }
}
