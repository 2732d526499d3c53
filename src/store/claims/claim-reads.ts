/* What every proof asks of claims, and of the proof itself, prepared. */
import type { Database } from '../../database/database.ts'
import { given, type PreparedRead } from '../../database/prepared-read.ts'
import { isAmong } from '../rows.ts'
import type { ProofRow, StoreTables } from '../tables.ts'
import { type ClaimRow, claimsOf } from './claim-queries.ts'
import { wrongedOwners } from './contested-claims.ts'

interface ClaimReads {
  readonly proof: PreparedRead<{ readonly connectionId: string }, ProofRow>
  /** `ids` is a JSON array. */
  readonly claims: PreparedRead<{ readonly connectionId: string; readonly ids: string }, ClaimRow>
  readonly wrongedOwners: PreparedRead<
    { readonly connectionId: string; readonly since: number },
    { readonly owners: number }
  >
}

/** Prepares them. */
export function prepareClaimReads(database: Database<StoreTables>): ClaimReads {
  const { dialect, queries } = database
  const connectionId = given<string>('connectionId')
  const proof = queries.selectFrom('proofs').selectAll().where('connection_id', '=', connectionId)
  const claims = claimsOf(queries, connectionId).where(isAmong(dialect, 'leave_id', 'ids'))
  const wronged = wrongedOwners(connectionId, given('since'))
  return {
    proof: database.prepareRead(proof),
    claims: database.prepareRead(claims),
    wrongedOwners: database.prepareRead({ compile: () => wronged.compile(queries) }),
  }
}
