import { sql } from 'kysely'

import type { Database } from '../database/database.ts'
import type { LeaveClaim, LeaveProof, LeaveProofStore, LeavesRead } from '../domain/leave.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import { claimOf, claimsOf, claimsTurn, writeReading } from './claims.ts'
import { holdPersonInFeed, holdUnlessErased } from './people/holding-people.ts'
import { changeRow, inParts } from './rows.ts'
import type { ProofRow, StoreTables } from './tables.ts'

const notAsked: LeaveProof = {
  state: 'unproven',
  reason: 'not_asked',
  since: 0,
  batteryAt: null,
  triedAt: null,
  credential: null,
}
const idsMax = 1000
const notedAtOnce = 2000
/** A leave that came for more of them is booked for all: each finds out by themselves when it goes. */
const claimantsMax = 5

/** Proofs and claims; readings of one connection take turns between all nodes, so that none overlooks another. */
export class SqlProofStore implements LeaveProofStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async findProof(connectionId: string): Promise<LeaveProof> {
    const row = await this.#database.queries
      .selectFrom('proofs')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .executeTakeFirst()
    return row ? proofOf(row) : notAsked
  }

  async saveProof(connectionId: string, proof: LeaveProof): Promise<void> {
    const { state, reason, since, batteryAt, triedAt, credential } = proof
    const row = { state, reason, since, battery_at: batteryAt, tried_at: triedAt, credential }
    await this.#database.queries
      .insertInto('proofs')
      .values({ connection_id: connectionId, ...row })
      .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(row))
      .execute()
  }

  takeTry(connectionId: string, before: Instant, now: Instant): Promise<boolean> {
    return changeRow(
      this.#database.queries
        .updateTable('proofs')
        .set({ tried_at: now })
        .where('connection_id', '=', connectionId)
        .where((proof) =>
          proof.or([
            proof('tried_at', 'is', null),
            proof('tried_at', '<=', before),
            proof('tried_at', '>', now + clockSkewMs),
          ]),
        ),
    )
  }

  async findClaims(
    connectionId: string,
    leaveIds: readonly string[],
  ): Promise<readonly LeaveClaim[]> {
    const claims: LeaveClaim[] = []
    const rests = createRests()
    for (const ids of inParts(leaveIds, idsMax)) {
      if (rests.isDue()) await rests.take()
      const rows = await claimsOf(this.#database.queries, connectionId)
        .where('leave_id', 'in', ids)
        .execute()
      claims.push(...rows.map(claimOf))
    }
    return claims
  }

  async listOwned(connectionId: string, userId: string): Promise<readonly string[]> {
    const rows = await claimsOf(this.#database.queries, connectionId)
      .where('user_id', '=', userId)
      .where('is_owner', '=', 1)
      .where('absent_since', 'is', null)
      .execute()
    return rows.map((row) => row.leave_id)
  }

  async listClaimed(connectionId: string, userId: string): Promise<readonly string[]> {
    const rows = await claimsOf(this.#database.queries, connectionId)
      .where('user_id', '=', userId)
      .where('absent_since', 'is', null)
      .execute()
    return rows.map((row) => row.leave_id)
  }

  async listUnsettled(connectionId: string, userId: string): Promise<readonly LeaveClaim[]> {
    const rows = await claimsOf(this.#database.queries, connectionId)
      .where('user_id', '=', userId)
      .where((claim) =>
        claim.or([claim('contested', '=', 1), claim('absent_since', 'is not', null)]),
      )
      .execute()
    return rows.map(claimOf)
  }

  async noteReading(connectionId: string, reading: LeavesRead): Promise<readonly LeaveClaim[]> {
    const claims: LeaveClaim[] = []
    const rests = createRests()
    for (const part of partsOf(reading)) {
      // Not within a transaction: whoever else uses the file would wait for its end.
      if (rests.isDue()) await rests.take()
      for (const claim of await this.#notePart(connectionId, part)) claims.push(claim)
    }
    return claims
  }

  #notePart(connectionId: string, reading: LeavesRead): Promise<readonly LeaveClaim[]> {
    const { queries, takeTurn } = this.#database
    return queries.transaction().execute(async (claims) => {
      await takeTurn(claims, claimsTurn(connectionId))
      const hold = reading.onlyInFeed ? holdPersonInFeed : holdUnlessErased
      if (!(await hold(this.#database, claims, reading))) return []
      return writeReading(claims, connectionId, reading)
    })
  }

  async listDisputed(connectionId: string, limit: number): Promise<readonly LeaveClaim[]> {
    const rows = await claimsOf(this.#database.queries, connectionId)
      .where('contested', '=', sql.lit(1))
      .where('leave_id', 'in', (claims) =>
        claims
          .selectFrom('leave_owners')
          .select('leave_id')
          .where('connection_id', '=', connectionId)
          .where('contested', '=', sql.lit(1))
          .groupBy('leave_id')
          .having(({ fn }) => fn.countAll(), '<=', claimantsMax),
      )
      .orderBy('leave_id')
      .orderBy('user_id')
      .limit(limit)
      .execute()
    return rows.map(claimOf)
  }

  async countWrongedOwners(connectionId: string, since: Instant): Promise<number> {
    const { rows } = await sql<{ owners: number }>`
      select count(distinct owner.user_id) as owners
      from leave_owners as wrong
      join leave_owners as owner on owner.connection_id = wrong.connection_id
        and owner.leave_id = wrong.leave_id and owner.is_owner = 1
      where wrong.connection_id = ${connectionId} and wrong.contested = 1
        and wrong.is_owner = 0 and wrong.since > ${since}
        and not exists (
          select 1 from leave_owners as third
          where third.connection_id = wrong.connection_id and third.leave_id = wrong.leave_id
            and third.user_id <> wrong.user_id and third.user_id <> owner.user_id)
    `.execute(this.#database.queries)
    return rows[0]?.owners ?? 0
  }
}

/** What is noted of one leave depends on no other: a reading of very many is noted some at a time. */
function partsOf(reading: LeavesRead): readonly LeavesRead[] {
  const { present, absent } = reading
  if (present.length + absent.length <= notedAtOnce) return [reading]
  const came = new Set(present)
  const missing = absent.filter((id) => !came.has(id))
  return [
    ...inParts([...came], notedAtOnce).map((some) => ({ ...reading, present: some, absent: [] })),
    ...inParts(missing, notedAtOnce).map((some) => ({ ...reading, present: [], absent: some })),
  ]
}

function proofOf({ state, reason, since, credential, ...row }: ProofRow): LeaveProof {
  return { state, reason, since, credential, batteryAt: row.battery_at, triedAt: row.tried_at }
}
