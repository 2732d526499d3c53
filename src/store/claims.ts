/*
 * Claims to leaves: one row per leave and person, at most one of them the owner. A company may have a hundred thousand: no
 * query may read them all.
 */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'

import { claimsAfter, type LeaveClaim, type LeavesRead } from '../domain/leave.ts'
import type { Instant } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import { inParts, rowOf } from './rows.ts'
import type { ClaimRow, Queries, StoreTables } from './tables.ts'

export const claimColumns = [
  'leaveId',
  'userId',
  'isOwner',
  'since',
  'absentSince',
  'isGone',
] as const satisfies (keyof ClaimRow)[]

/** A claim has eight values; SQLite allows 32,766 per statement. */
const rowsMax = 500
const listedAtOnce = 1000
/** A leave with more claims counts as booked for all; each claim ends on its own. */
const claimantsMax = 5

type ClaimQuery = SelectQueryBuilder<StoreTables, 'leaveOwners', ClaimRow>

export function claimsOf(queries: Queries, connectionId: string | RawBuilder<string>): ClaimQuery {
  return queries
    .selectFrom('leaveOwners')
    .select(claimColumns)
    .where('connectionId', '=', connectionId)
}

/** With `=`, SQLite would scan the whole connection by primary key; `>=` and `<=` make it use the index of people. */
export function claimsFor(queries: Queries, connectionId: string, userId: string): ClaimQuery {
  return claimsOf(queries, connectionId).where('userId', '>=', userId).where('userId', '<=', userId)
}

export function claimOf(row: ClaimRow): LeaveClaim {
  return { ...row, isOwner: row.isOwner === 1, isGone: row.isGone === 1 }
}

/** Lists the leaves of these claims, in parts: SQLite reads synchronously. */
export async function listLeaves(claims: ClaimQuery): Promise<readonly string[]> {
  const leaves: string[] = []
  const rests = createRests()
  for (;;) {
    const page = claims.where('leaveId', '>', leaves.at(-1) ?? '')
    const rows = await page.orderBy('userId').orderBy('leaveId').limit(listedAtOnce).execute()
    for (const row of rows) leaves.push(row.leaveId)
    if (rows.length < listedAtOnce) return leaves
    if (rests.isDue()) await rests.take()
  }
}

/** Claims to leaves returned for several people, but not for many. There are few, and they have an index. */
export function disputedClaims(queries: Queries, connectionId: string): ClaimQuery {
  return claimsOf(queries, connectionId)
    .where('contested', '=', sql.lit(1))
    .where('leaveId', 'in', (claims) =>
      claims
        .selectFrom('leaveOwners')
        .select('leaveId')
        .where('connectionId', '=', connectionId)
        .where('contested', '=', sql.lit(1))
        .groupBy('leaveId')
        .having(({ fn }) => fn.countAll(), '<=', claimantsMax),
    )
}

/**
 * Counts owners, except departed ones, with leaves that were also returned for one other person since then. The join order
 * is for SQLite: few claims are contested.
 */
export function wrongedOwners(
  connectionId: string | RawBuilder<string>,
  since: Instant | RawBuilder<Instant>,
): RawBuilder<{ readonly owners: number }> {
  return sql`
    with disputed as (
      select leave_id, user_id from leave_owners
      where connection_id = ${connectionId} and contested = 1)
    select count(distinct owner.user_id) as owners
    from disputed cross join leave_owners as wrong cross join leave_owners as owner
    where wrong.connection_id = ${connectionId}
      and wrong.leave_id = disputed.leave_id and wrong.user_id = disputed.user_id
      and wrong.is_owner = 0 and wrong.since > ${since}
      and owner.connection_id = wrong.connection_id
      and owner.leave_id = wrong.leave_id and owner.is_owner = 1
      and owner.is_gone = 0
      and not exists (
        select 1 from leave_owners as third
        where third.connection_id = wrong.connection_id and third.leave_id = wrong.leave_id
          and third.user_id <> wrong.user_id and third.user_id <> owner.user_id)
  `
}

/** The turn for storing a reading of the connection, so that no reading misses another. */
export function claimsTurn(connectionId: string): string {
  return `leave_owners:${connectionId}`
}

/** Stores the claims after a reading; returns all claims to the leaves in it. */
export async function writeReading(
  queries: Queries,
  connectionId: string,
  reading: LeavesRead,
): Promise<readonly LeaveClaim[]> {
  const after: LeaveClaim[] = []
  const present = new Set(reading.present)
  const ids = [...present.union(new Set(reading.absent))]
  for (const part of inParts(ids, rowsMax)) {
    const before = await findByLeave(queries, connectionId, part)
    const changes = part.map((leaveId) => {
      const known = before.get(leaveId) ?? []
      const isPresent = present.has(leaveId)
      return { known, left: claimsAfter(known, { ...reading, leaveId, isPresent }) }
    })
    await replace(queries, connectionId, changes.filter(isChange))
    after.push(...changes.flatMap(({ left }) => left).filter(({ leaveId }) => present.has(leaveId)))
  }
  return after
}

/** Removes all claims of a person; other claims to the same leaves stay. */
export async function forgetClaims(
  queries: Queries,
  connectionId: string,
  userId: string,
): Promise<void> {
  const own = await claimsFor(queries, connectionId, userId).execute()
  for (const part of inParts(own, rowsMax)) {
    const ids = part.map(({ leaveId }) => leaveId)
    const byLeave = await findByLeave(queries, connectionId, ids)
    const changes = [...byLeave.values()].map((known) => {
      return { known, left: known.filter((claim) => claim.userId !== userId) }
    })
    await replace(queries, connectionId, changes)
  }
}

async function findByLeave(
  queries: Queries,
  connectionId: string,
  leaveIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LeaveClaim[]>> {
  const rows = await claimsOf(queries, connectionId).where('leaveId', 'in', leaveIds).execute()
  return Map.groupBy(rows.map(claimOf), ({ leaveId }) => leaveId)
}

interface ClaimsChange {
  readonly known: readonly LeaveClaim[]
  readonly left: readonly LeaveClaim[]
}

function isChange({ known, left }: ClaimsChange): boolean {
  return (
    known.length !== left.length ||
    left.some((claim) => {
      const before = known.find(({ userId }) => userId === claim.userId)
      return claimColumns.some((column) => before?.[column] !== claim[column])
    })
  )
}

/** Every claim to a leave is marked if there are others. */
async function replace(
  queries: Queries,
  connectionId: string,
  changes: readonly ClaimsChange[],
): Promise<void> {
  const touched = changes.flatMap(({ known }) => known[0]?.leaveId ?? [])
  for (const ids of inParts(touched, rowsMax)) {
    const claims = queries.deleteFrom('leaveOwners').where('connectionId', '=', connectionId)
    await claims.where('leaveId', 'in', ids).execute()
  }
  const rows = changes.flatMap(({ left }) =>
    left.map((claim) => rowOf({ connectionId, ...claim, contested: left.length > 1 })),
  )
  for (const part of inParts(rows, rowsMax)) {
    await queries.insertInto('leaveOwners').values(part).execute()
  }
}
