import { sql, type Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import type { LeaveProof, ContestedLeave, LeaveProofStore } from '../domain/leave.ts'
import { holdPersonInFeed } from './feed-store.ts'
import { inParts } from './rows.ts'
import type { StoreTables } from './tables.ts'

const notAsked: LeaveProof = { state: 'unproven', reason: 'not_asked', since: 0 }
/** A claim has three values. */
const idsMax = 5000

/** Proofs and claims; claims of one connection take turns between all nodes, so that none overlooks another. */
export class SqlProofStore implements LeaveProofStore {
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

  claimLeaves(
    connectionId: string,
    userId: string,
    leaveIds: readonly string[],
    onlyInFeed = false,
  ): Promise<readonly ContestedLeave[]> {
    return this.#inTurn(connectionId, async (claims) => {
      if (onlyInFeed && !(await holdPersonInFeed(this.#database, claims, userId))) return []
      const contested: ContestedLeave[] = []
      for (const ids of inParts([...new Set(leaveIds)], idsMax)) {
        contested.push(...(await claim({ claims, connectionId, userId }, ids)))
      }
      return contested
    })
  }

  async listContested(connectionId: string): Promise<readonly ContestedLeave[]> {
    const rows = await claimsOf(this.#database.queries, connectionId)
      .where('contested', '=', sql.lit(1))
      .execute()
    return byLeave(rows)
  }

  async withdrawClaims(
    connectionId: string,
    userId: string,
    leaveIds: readonly string[],
  ): Promise<void> {
    await this.#inTurn(connectionId, async (claims) => {
      for (const ids of inParts(leaveIds, idsMax)) {
        await withdraw({ claims, connectionId, userId }, ids)
      }
    })
  }

  #inTurn<T>(connectionId: string, work: (claims: Claims) => Promise<T>): Promise<T> {
    const { queries, takeTurn } = this.#database
    return queries.transaction().execute(async (claims) => {
      await takeTurn(claims, `leave_owners:${connectionId}`)
      return work(claims)
    })
  }
}

type Claims = Transaction<StoreTables>

interface Claimant {
  readonly claims: Claims
  readonly connectionId: string
  readonly userId: string
}

async function claim(
  { claims, connectionId, userId }: Claimant,
  leaveIds: readonly string[],
): Promise<readonly ContestedLeave[]> {
  await claims
    .insertInto('leave_owners')
    .values(leaveIds.map((id) => ({ connection_id: connectionId, leave_id: id, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const contested = (await listClaims(claims, connectionId, leaveIds)).filter(isContested)
  await mark(claims, connectionId, contested, 1)
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
  const left = await listClaims(claims, connectionId, leaveIds)
  const settled = left.filter((leave) => !isContested(leave))
  await mark(claims, connectionId, settled, 0)
}

async function listClaims(
  claims: Claims,
  connectionId: string,
  leaveIds: readonly string[],
): Promise<readonly ContestedLeave[]> {
  return byLeave(await claimsOf(claims, connectionId).where('leave_id', 'in', leaveIds).execute())
}

function isContested({ userIds }: ContestedLeave): boolean {
  return userIds.length > 1
}

async function mark(
  claims: Claims,
  connectionId: string,
  leaves: readonly ContestedLeave[],
  contested: 0 | 1,
): Promise<void> {
  if (leaves.length === 0) return
  await claims
    .updateTable('leave_owners')
    .set({ contested })
    .where('connection_id', '=', connectionId)
    .where(
      'leave_id',
      'in',
      leaves.map(({ leaveId }) => leaveId),
    )
    .execute()
}

function claimsOf(queries: Database<StoreTables>['queries'], connectionId: string) {
  return queries
    .selectFrom('leave_owners')
    .select(['leave_id', 'user_id'])
    .where('connection_id', '=', connectionId)
    .orderBy('leave_id')
    .orderBy('user_id')
}

function byLeave(rows: readonly { leave_id: string; user_id: string }[]): ContestedLeave[] {
  const users = Map.groupBy(rows, (row) => row.leave_id)
  return [...users].map(([leaveId, claims]) => ({
    leaveId,
    userIds: claims.map((row) => row.user_id),
  }))
}
