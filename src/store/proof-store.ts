import type { Kysely } from 'kysely'

import type { Database } from '../database/database.ts'
import type { LeaveClaim, LeaveProof, LeaveProofStore, LeavesRead } from '../domain/leave.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import { claimOf, type ClaimQuery, claimsFor, listLeaves } from './claims/claim-queries.ts'
import { prepareClaimReads } from './claims/claim-reads.ts'
import { claimsTurn, forgetClaims, writeReading } from './claims/claims.ts'
import { disputedClaims } from './claims/contested-claims.ts'
import { holdPersonInFeed, holdUnlessErased } from './people.ts'
import { changeRow, inParts, proofOf } from './rows.ts'
import type { ProofRow, StoreTables } from './tables.ts'

const idsMax = 1000
const notedAtOnce = 500

/** Proofs and claims; readings of one connection take turns between all nodes, so that none overlooks another. */
export class SqlProofStore implements LeaveProofStore {
  readonly #database: Database<StoreTables>
  readonly #reads

  constructor(database: Database<StoreTables>) {
    this.#database = database
    this.#reads = prepareClaimReads(database)
  }

  async findProof(connectionId: string): Promise<LeaveProof> {
    const [row] = await this.#reads.proof({ connectionId })
    return proofOf(row)
  }

  changeProof(connectionId: string, change: (kept: LeaveProof) => LeaveProof): Promise<LeaveProof> {
    const { queries, takeTurn } = this.#database
    return queries.transaction().execute(async (proofs) => {
      await takeTurn(proofs, `proofs:${connectionId}`)
      const changed = change(proofOf(await findProof(proofs, connectionId)))
      await saveProof(proofs, connectionId, changed)
      return changed
    })
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
      const rows = await this.#reads.claims({ connectionId, ids: JSON.stringify(ids) })
      for (const row of rows) claims.push(claimOf(row))
    }
    return claims
  }

  listOwned(connectionId: string, userId: string): Promise<readonly string[]> {
    return listLeaves(this.#claimsPresent(connectionId, userId).where('is_owner', '=', 1))
  }

  listClaimed(connectionId: string, userId: string): Promise<readonly string[]> {
    return listLeaves(this.#claimsPresent(connectionId, userId))
  }

  async noteReading(connectionId: string, reading: LeavesRead): Promise<readonly LeaveClaim[]> {
    const claims: LeaveClaim[] = []
    const rests = createRests()
    for (const part of partsOf(reading)) {
      // Not within a transaction: anyone else who uses the file would wait for its end.
      if (rests.isDue()) await rests.take()
      for (const claim of await this.#notePart(connectionId, part)) claims.push(claim)
    }
    return claims
  }

  #claimsPresent(connectionId: string, userId: string): ClaimQuery {
    const claims = claimsFor(this.#database.queries, connectionId, userId)
    return claims.where('absent_since', 'is', null)
  }

  forgetClaims(connectionId: string, userId: string): Promise<void> {
    const { queries, takeTurn } = this.#database
    return queries.transaction().execute(async (claims) => {
      await takeTurn(claims, claimsTurn(connectionId))
      await forgetClaims(claims, connectionId, userId)
    })
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
    const claims = disputedClaims(this.#database.queries, connectionId)
    const rows = await claims.orderBy('leave_id').orderBy('user_id').limit(limit).execute()
    return rows.map(claimOf)
  }

  async listDisputedAfter(
    connectionId: string,
    userId: string,
    employees: number,
  ): Promise<readonly LeaveClaim[]> {
    const claims = disputedClaims(this.#database.queries, connectionId)
    const next = claims.clearSelect().select('user_id').distinct()
    const people = next.where('user_id', '>', userId).orderBy('user_id').limit(employees)
    const rows = await claims
      .where('user_id', 'in', people)
      .orderBy('user_id')
      .orderBy('leave_id')
      .execute()
    return rows.map(claimOf)
  }

  async countWrongedOwners(connectionId: string, since: Instant): Promise<number> {
    const [row] = await this.#reads.wrongedOwners({ connectionId, since })
    return row?.owners ?? 0
  }
}

type Queries = Kysely<StoreTables>

function findProof(queries: Queries, connectionId: string): Promise<ProofRow | undefined> {
  const rows = queries.selectFrom('proofs').selectAll().where('connection_id', '=', connectionId)
  return rows.executeTakeFirst()
}

async function saveProof(
  queries: Queries,
  connectionId: string,
  { state, reason, since, batteryAt, triedAt, credential }: LeaveProof,
): Promise<void> {
  const row = { state, reason, since, battery_at: batteryAt, tried_at: triedAt, credential }
  await queries
    .insertInto('proofs')
    .values({ connection_id: connectionId, ...row })
    .onConflict((conflict) => conflict.column('connection_id').doUpdateSet(row))
    .execute()
}

/** What is noted of one leave depends on no other: a reading of very many is noted some at a time. */
function partsOf(reading: LeavesRead): readonly LeavesRead[] {
  const { present, absent } = reading
  if (present.length + absent.length <= notedAtOnce) return [reading]
  const came = new Set(present)
  const missing = new Set(absent).difference(came)
  return [
    ...inParts([...came], notedAtOnce).map((some) => ({ ...reading, present: some, absent: [] })),
    ...inParts([...missing], notedAtOnce).map((some) => ({
      ...reading,
      present: [],
      absent: some,
    })),
  ]
}
