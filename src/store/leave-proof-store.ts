import { sql, type Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import type { LeaveProof, ContestedLeave, LeaveProofStore } from '../domain/leave.ts'
import { isInFeed } from './people-in-feeds.ts'
import type { StoreTables } from './tables.ts'

const notAsked: LeaveProof = { state: 'unproven', reason: 'not_asked', since: 0 }
/** Of one statement: SQLite takes 32,766 values, a claim has three. */
const idsMax = 5000

/** Proofs and claims; claims of one connection take turns between all nodes, so that none overlooks another. */
export class SqlLeaveProofStore implements LeaveProofStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async findProof(connectionId: string): Promise<LeaveProof> {
    const row = await this.#database.queries
      .selectFrom('proofs')
      .select(['state', 'reason', 'since'])
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return row ?? notAsked
  }

  async saveProof(connectionId: string, { state, reason, since }: LeaveProof): Promise<void> {
    const proof = { state, reason, since }
    await this.#database.queries
      .insertInto('proofs')
      .values({ connection_id: connectionId, ...proof })
      .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(proof))
      .execute()
  }

  async claimLeaves(
    connectionId: string,
    userId: string,
    leaveIds: readonly string[],
    onlyInFeed = false,
  ): Promise<readonly ContestedLeave[]> {
    const { dialect } = this.#database
    return inTurn(this.#database, connectionId, async (claims) => {
      if (onlyInFeed && !(await isInFeed(claims, dialect, userId))) return []
      const contested: ContestedLeave[] = []
      for (const ids of parts(leaveIds)) {
        contested.push(...(await claim({ claims, connectionId, userId }, ids)))
      }
      return contested
    })
  }

  async listContested(connectionId: string): Promise<readonly ContestedLeave[]> {
    const rows = await this.#database.queries
      .selectFrom('leave_owners')
      .select(['leave_id', 'user_id'])
      .where('connection_id', '=', connectionId)
      .where('contested', '=', sql.lit(1))
      .orderBy('leave_id')
      .orderBy('user_id')
      .execute()
    return byLeave(rows)
  }

  async withdrawClaims(
    connectionId: string,
    userId: string,
    leaveIds: readonly string[],
  ): Promise<void> {
    await inTurn(this.#database, connectionId, async (claims) => {
      for (const ids of parts(leaveIds)) await withdraw({ claims, connectionId, userId }, ids)
    })
  }
}

interface Claimant {
  readonly claims: Transaction<StoreTables>
  readonly connectionId: string
  readonly userId: string
}

/** SQLite's transactions take turns by themselves. */
function inTurn<T>(
  { queries, dialect }: Database<StoreTables>,
  connectionId: string,
  work: (claims: Transaction<StoreTables>) => Promise<T>,
): Promise<T> {
  return queries.transaction().execute(async (claims) => {
    if (dialect === 'postgres') {
      const name = `leave_owners:${connectionId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(claims)
    }
    return work(claims)
  })
}

function parts(leaveIds: readonly string[]): string[][] {
  const ids = [...new Set(leaveIds)]
  return Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, part) =>
    ids.slice(part * idsMax, (part + 1) * idsMax),
  )
}

async function claim(
  { claims, connectionId, userId }: Claimant,
  leaveIds: readonly string[],
): Promise<ContestedLeave[]> {
  await claims
    .insertInto('leave_owners')
    .values(leaveIds.map((id) => ({ connection_id: connectionId, leave_id: id, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const contested = (await listClaims(claims, connectionId, leaveIds)).filter(isContested)
  await markContested(
    claims,
    connectionId,
    contested.map(({ leaveId }) => leaveId),
    1,
  )
  return contested
}

async function withdraw(
  { claims, connectionId, userId }: Claimant,
  leaveIds: readonly string[],
): Promise<void> {
  await claims
    .deleteFrom('leave_owners')
    .where('connection_id', '=', connectionId)
    .where('user_id', '=', userId)
    .where('leave_id', 'in', leaveIds)
    .execute()
  const settled = (await listClaims(claims, connectionId, leaveIds)).filter(
    (it) => !isContested(it),
  )
  await markContested(
    claims,
    connectionId,
    settled.map(({ leaveId }) => leaveId),
    0,
  )
}

async function listClaims(
  claims: Transaction<StoreTables>,
  connectionId: string,
  leaveIds: readonly string[],
): Promise<ContestedLeave[]> {
  const rows = await claims
    .selectFrom('leave_owners')
    .select(['leave_id', 'user_id'])
    .where('connection_id', '=', connectionId)
    .where('leave_id', 'in', leaveIds)
    .orderBy('leave_id')
    .orderBy('user_id')
    .execute()
  return byLeave(rows)
}

function isContested({ userIds }: ContestedLeave): boolean {
  return userIds.length > 1
}

async function markContested(
  claims: Transaction<StoreTables>,
  connectionId: string,
  leaveIds: readonly string[],
  contested: 0 | 1,
): Promise<void> {
  if (leaveIds.length === 0) return
  await claims
    .updateTable('leave_owners')
    .set({ contested })
    .where('connection_id', '=', connectionId)
    .where('leave_id', 'in', leaveIds)
    .execute()
}

function byLeave(rows: readonly { leave_id: string; user_id: string }[]): ContestedLeave[] {
  const users = Map.groupBy(rows, (row) => row.leave_id)
  return [...users].map(([leaveId, claims]) => ({
    leaveId,
    userIds: claims.map((row) => row.user_id),
  }))
}
