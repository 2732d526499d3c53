import { given } from '../database/prepared-read.ts'
import type { LeaveClaim, LeaveProof, LeaveProofStore, LeavesRead } from '../domain/leave.ts'
import { clockSkewMs } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import {
  claimOf,
  claimsFor,
  claimsOf,
  claimsTurn,
  disputedClaims,
  forgetClaims,
  listLeaves,
  wrongedOwners,
  writeReading,
} from './claims.ts'
import { holdPersonInFeed, holdUnlessErased } from './people.ts'
import { changeRow, inParts, isAmong, notAsked } from './rows.ts'
import type { ClaimRow, Queries, StoreDatabase } from './tables.ts'

const idsMax = 1000
const notedAtOnce = 500

export const proofColumns = [
  'state',
  'reason',
  'since',
  'batteryAt',
  'triedAt',
  'credential',
] as const satisfies (keyof LeaveProof)[]

/** Proofs and claims. Readings of one connection take turns across nodes, so that none misses another. */
export function proofStore(database: StoreDatabase): LeaveProofStore {
  const { dialect, queries, takeTurn, prepareRead } = database
  type OfConnection = { readonly connectionId: string }
  const connection = given<string>('connectionId')
  const proofs = queries.selectFrom('proofs').select(proofColumns)
  const readProof = prepareRead<OfConnection, LeaveProof>(
    proofs.where('connectionId', '=', connection),
  )
  const readClaims = prepareRead<OfConnection & { readonly ids: string }, ClaimRow>(
    claimsOf(queries, connection).where(isAmong(dialect, 'leaveId', given('ids'))),
  )
  const wronged = wrongedOwners(connection, given('since'))
  const readWrongedOwners = prepareRead<OfConnection & { since: number }, { owners: number }>({
    compile: () => wronged.compile(queries),
  })
  const claimsPresent = (connectionId: string, userId: string) =>
    claimsFor(queries, connectionId, userId).where('absentSince', 'is', null)
  const inTurn = <T>(turn: string, work: (steps: Queries) => Promise<T>): Promise<T> =>
    queries.transaction().execute(async (steps) => {
      await takeTurn(steps, turn)
      return work(steps)
    })
  return {
    findProof: async (connectionId) => (await readProof({ connectionId }))[0] ?? notAsked,
    changeProof: (connectionId, change) =>
      inTurn(`proofs:${connectionId}`, async (steps) => {
        const kept = steps.selectFrom('proofs').select(proofColumns)
        const row = await kept.where('connectionId', '=', connectionId).executeTakeFirst()
        const changed = change(row ?? notAsked)
        const { state, reason, since, batteryAt, triedAt, credential } = changed
        const next = { state, reason, since, batteryAt, triedAt, credential }
        await steps
          .insertInto('proofs')
          .values({ connectionId, ...next })
          .onConflict((conflict) => conflict.column('connectionId').doUpdateSet(next))
          .execute()
        return changed
      }),
    takeTry(connectionId, before, now) {
      const proof = queries.updateTable('proofs').where('connectionId', '=', connectionId)
      const due = proof.where((of) =>
        of.or([
          of('triedAt', 'is', null),
          of('triedAt', '<=', before),
          of('triedAt', '>', now + clockSkewMs),
        ]),
      )
      return changeRow(due.set({ triedAt: now }))
    },
    async findClaims(connectionId, leaveIds) {
      const claims: LeaveClaim[] = []
      const rests = createRests()
      for (const ids of inParts(leaveIds, idsMax)) {
        if (rests.isDue()) await rests.take()
        const rows = await readClaims({ connectionId, ids: JSON.stringify(ids) })
        for (const row of rows) claims.push(claimOf(row))
      }
      return claims
    },
    listOwned: (connectionId, userId) =>
      listLeaves(claimsPresent(connectionId, userId).where('isOwner', '=', 1)),
    listClaimed: (connectionId, userId) => listLeaves(claimsPresent(connectionId, userId)),
    async noteReading(connectionId, reading) {
      const claims: LeaveClaim[] = []
      const rests = createRests()
      for (const part of partsOf(reading)) {
        // Outside a transaction, so that other users of the file do not wait.
        if (rests.isDue()) await rests.take()
        const noted = await inTurn(claimsTurn(connectionId), async (steps) => {
          const hold = part.onlyInFeed ? holdPersonInFeed : holdUnlessErased
          const isHeld = await hold(database, steps, part)
          return isHeld ? writeReading(steps, connectionId, part) : []
        })
        for (const claim of noted) claims.push(claim)
      }
      return claims
    },
    forgetClaims: (connectionId, userId) =>
      inTurn(claimsTurn(connectionId), (steps) => forgetClaims(steps, connectionId, userId)),
    async listDisputed(connectionId, limit) {
      const claims = disputedClaims(queries, connectionId)
      const rows = await claims.orderBy('leaveId').orderBy('userId').limit(limit).execute()
      return rows.map(claimOf)
    },
    async listDisputedAfter(connectionId, userId, employees) {
      const claims = disputedClaims(queries, connectionId)
      const next = claims.clearSelect().select('userId').distinct()
      const people = next.where('userId', '>', userId).orderBy('userId').limit(employees)
      const theirs = claims.where('userId', 'in', people)
      return (await theirs.orderBy('userId').orderBy('leaveId').execute()).map(claimOf)
    },
    async countWrongedOwners(connectionId, since) {
      const [row] = await readWrongedOwners({ connectionId, since })
      return row?.owners ?? 0
    },
  }
}

/** Leaves are independent of each other: a large reading is stored in parts. */
function partsOf(reading: LeavesRead): readonly LeavesRead[] {
  const { present, absent } = reading
  if (present.length + absent.length <= notedAtOnce) return [reading]
  const came = new Set(present)
  const missing = new Set(absent).difference(came)
  return [
    ...inParts([...came], notedAtOnce).map((some) => ({ ...reading, present: some, absent: [] })),
    ...inParts([...missing], notedAtOnce).map((some) => {
      return { ...reading, present: [], absent: some }
    }),
  ]
}
