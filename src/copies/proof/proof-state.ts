/* The state of a connection's employee filter of leaves: unproven, proven or disproved, and since when. */
import type { Connection } from '../../domain/connection.ts'
import type { CopyStore, DoubtStore } from '../../domain/copy.ts'
import type { DepartureStore } from '../../domain/departure.ts'
import type { LeaveProof, LeaveProofReason, LeaveProofStore } from '../../domain/leave.ts'
import type { KnownPeople } from '../../domain/person.ts'
import { dayMs, type Clock, clockSkewMs, type Log } from '../../domain/world.ts'

export const tryAgainAfterMs = 600_000
/** With leaves of this many people, one comparison shows who an answer belongs to. */
const establishedPeople = 20

export interface ProofDeps {
  readonly connection: Connection
  readonly proofs: LeaveProofStore
  readonly doubts: DoubtStore
  readonly copies: CopyStore
  readonly departed: DepartureStore
  readonly people: KnownPeople
  readonly clock: Clock
  readonly log: Log
}

export async function currentProof({ proofs, connection }: ProofDeps): Promise<LeaveProof> {
  return ofCredential(connection, await proofs.findProof(connection.id))
}

/** Returns the stored proof as it applies now. A new credential may see other leaves, so nothing is proven for it. */
export function ofCredential({ credential }: Connection, proof: LeaveProof): LeaveProof {
  if (proof.credential === null || proof.credential === credential) return proof
  return { ...proof, state: 'unproven', reason: 'not_asked', batteryAt: null, triedAt: null }
}

export async function setProof(
  deps: ProofDeps,
  state: LeaveProof['state'],
  reason: LeaveProofReason | null,
): Promise<void> {
  await changeProof(deps, (before) => turned(deps, before, state, reason))
}

/** Stores a proof that began in this state; false if the filter was disproved meanwhile. */
export async function setProven(deps: ProofDeps, begun: LeaveProof): Promise<boolean> {
  const { state } = await changeProof(deps, (before) => {
    const isSameDisproof = begun.state === before.state && begun.since === before.since
    const isOvertaken = before.state === 'disproved' && !isSameDisproof
    return isOvertaken ? before : turned(deps, before, 'proven', null)
  })
  return state === 'proven'
}

/** Records why the filter is still unproven: a request needed for a proof got no answer. */
export async function noteUnanswered(deps: ProofDeps): Promise<void> {
  await changeProof(deps, (before) =>
    before.state === 'unproven' ? turned(deps, before, 'unproven', 'canary_unanswered') : before,
  )
}

export async function passBattery(deps: ProofDeps): Promise<void> {
  await changeProof(deps, (before) => ({ ...before, batteryAt: deps.clock.now() }))
}

export function hasBattery({ clock }: ProofDeps, { batteryAt }: LeaveProof): boolean {
  const now = clock.now()
  return batteryAt !== null && batteryAt <= now && now - batteryAt < dayMs
}

export function isTimeToTry({ clock }: ProofDeps, { since, triedAt }: LeaveProof): boolean {
  const now = clock.now()
  return [since, triedAt ?? 0].every(
    (instant) => instant <= now - tryAgainAfterMs || instant > now + clockSkewMs,
  )
}

/** Takes the turn to try a disproved filter again; false if it is too early or another node has it. */
export async function takeTry(deps: ProofDeps, proof: LeaveProof): Promise<boolean> {
  if (!isTimeToTry(deps, proof)) return false
  const now = deps.clock.now()
  return deps.proofs.takeTry(deps.connection.id, now - tryAgainAfterMs, now)
}

/** Whether the leaves of enough people are known, and none were returned for the wrong person within a day. */
export async function isEstablished(deps: ProofDeps, proof: LeaveProof): Promise<boolean> {
  if (proof.state !== 'proven' || !hasBattery(deps, proof)) return false
  const { connection, doubts, people, proofs, clock } = deps
  const { id, company } = connection
  const known = await doubts.countFilled(id, 'leaves', establishedPeople)
  if (known < establishedPeople && known < (await people.countPeople(company.id))) return false
  return (await proofs.countWrongedOwners(id, clock.now() - dayMs)) === 0
}

/**
 * Returns how many proofs may run at once. The first one saves the others much, and an established filter needs less for
 * each.
 */
export async function proofsAtOnce(deps: ProofDeps): Promise<number> {
  const proof = await currentProof(deps)
  if (proof.state !== 'proven' || !hasBattery(deps, proof)) return 1
  return (await isEstablished(deps, proof)) ? Number.POSITIVE_INFINITY : establishedPeople
}

/** Whether leaves of two owners were returned for the wrong people within a day, and since the filter was last proven. */
export async function areTwoWronged(
  { connection, proofs, clock }: ProofDeps,
  proof: LeaveProof,
): Promise<boolean> {
  const since = Math.max(clock.now() - dayMs, proof.state === 'proven' ? proof.since : 0)
  return (await proofs.countWrongedOwners(connection.id, since)) > 1
}

function turned(
  { clock, connection }: ProofDeps,
  before: LeaveProof,
  state: LeaveProof['state'],
  reason: LeaveProofReason | null,
): LeaveProof {
  const isKept = before.credential === connection.credential
  if (isKept && before.state === state && before.reason === reason) return before
  const now = clock.now()
  const since = before.state === state && before.since <= now ? before.since : now
  // Tests from before a disproof no longer count.
  const batteryAt = state === 'disproved' ? null : before.batteryAt
  return { ...before, state, reason, since, batteryAt }
}

/** Changes the proof as then stored, so that another node's disproof is not overwritten. */
async function changeProof(
  deps: ProofDeps,
  change: (before: LeaveProof) => LeaveProof,
): Promise<LeaveProof> {
  const { proofs, connection, log } = deps
  const before = await currentProof(deps)
  if (change(before) === before) return before
  const after = await proofs.changeProof(connection.id, (kept) => ({
    ...change(ofCredential(connection, kept)),
    credential: connection.credential,
  }))
  const { state, reason } = after
  if (before.state !== state || before.reason !== reason) {
    const level = state === 'proven' ? 'info' : 'warn'
    log[level]({ company: connection.company.id, state, reason }, 'leave_proof_changed')
  }
  return after
}
