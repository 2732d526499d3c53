import { randomBytes } from 'node:crypto'

import type { Connection } from '../../domain/connection.ts'
import { collectionKey, type CopyStore } from '../../domain/copy.ts'
import { asAppError } from '../../domain/errors.ts'
/*
 * The Read API's leaves carry no user id, so nothing in an answer shows whose leaves it holds. It is believed
 * only with proof: the same request for an employee who cannot exist must bring nothing, and no leave may
 * ever come for two employees.
 */
import type {
  LeaveProof,
  LeaveProofReason,
  ContestedLeave,
  LeaveProofStore,
} from '../../domain/leave.ts'
import type { Clock, Log } from '../../domain/world.ts'

/** Answers to a request for an unknown employee that show that the employee was looked at. */
const statusesOfCleanCanary: ReadonlySet<number> = new Set([400, 404, 422])

type CanaryResult = 'clean' | 'canary_not_empty' | 'canary_unanswered'

/** The leaves that came for a user. */
interface LeavesAnswer {
  readonly userId: string
  readonly leaveIds: readonly string[]
  /** Whether they were asked for without a feed. */
  readonly ofDraft?: boolean | undefined
}

interface LeaveProverDeps {
  readonly proofs: LeaveProofStore
  readonly snapshots: CopyStore
  readonly clock: Clock
  readonly log: Log
}

/** Decides whether a leaves answer may be kept. */
export class LeaveProver {
  readonly #deps: LeaveProverDeps
  /** Per connection the canary under way, and the one that will be sent after it. */
  readonly #running = new Map<string, Promise<CanaryResult>>()
  readonly #waiting = new Map<string, Promise<CanaryResult>>()

  constructor(deps: LeaveProverDeps) {
    this.#deps = deps
  }

  /** What is known of the connection's employee filter. */
  findProof(connection: Connection): Promise<LeaveProof> {
    return this.#deps.proofs.findProof(connection.id)
  }

  /** Notes that the connection has no employee parameter: nothing is asked, leaves stay unproven. */
  async noteNoParameter(connection: Connection): Promise<void> {
    await this.#set(connection, 'unproven', 'no_parameter')
  }

  /**
   * Whether the answer is proven and may be kept. A canary is sent after this call;
   * one serves all answers that wait for it. Never throws for what the Read API does.
   */
  async admits(
    connection: Connection,
    answer: LeavesAnswer,
    signal: AbortSignal,
  ): Promise<boolean> {
    const canary = await this.#canary(connection, signal)
    if (canary === 'clean') return this.#admitsOwners(connection, answer)
    await this.#noteFailedCanary(connection, canary)
    return false
  }

  /** Whether a copy just kept may stay: another node may have seen one of its leaves come for somebody else meanwhile. */
  async stillStands(connection: Connection, userId: string): Promise<boolean> {
    const contested = (await this.#deps.proofs.listContested(connection.id)).filter(({ userIds }) =>
      userIds.includes(userId),
    )
    if (contested.length === 0) return true
    await this.#dropCopiesWith(connection, contested)
    return false
  }

  #canary(connection: Connection, signal: AbortSignal): Promise<CanaryResult> {
    const waiting = this.#waiting.get(connection.id)
    if (waiting) return waiting
    const next = Promise.resolve(this.#running.get(connection.id)).then(() => {
      this.#waiting.delete(connection.id)
      this.#running.set(connection.id, next)
      return askCanary(connection, signal)
    })
    this.#waiting.set(connection.id, next)
    return next.finally(() => {
      if (this.#running.get(connection.id) === next) this.#running.delete(connection.id)
    })
  }

  async #noteFailedCanary(connection: Connection, reason: LeaveProofReason): Promise<void> {
    if (reason === 'canary_not_empty') return this.#set(connection, 'disproved', reason)
    const { state } = await this.findProof(connection)
    if (state === 'unproven') await this.#set(connection, state, reason)
  }

  async #admitsOwners(
    connection: Connection,
    { userId, leaveIds, ofDraft = false }: LeavesAnswer,
  ): Promise<boolean> {
    await this.#withdrawDisputed(connection, userId, leaveIds)
    const { proofs } = this.#deps
    const contested = await proofs.claimLeaves(connection.id, userId, leaveIds, !ofDraft)
    if (contested.length > 0) await this.#dropCopiesWith(connection, contested)
    const disputed =
      contested.length > 0 || (await this.#deps.proofs.listContested(connection.id)).length > 0
    await (disputed
      ? this.#set(connection, 'disproved', 'two_employees')
      : this.#set(connection, 'proven', null))
    return !disputed
  }

  /** A disputed leave that no longer comes for this user was not theirs, or is gone: either way no claim is left. */
  async #withdrawDisputed(
    connection: Connection,
    userId: string,
    ids: readonly string[],
  ): Promise<void> {
    const present = new Set(ids)
    const withdrawn = (await this.#deps.proofs.listContested(connection.id))
      .filter(({ leaveId, userIds }) => userIds.includes(userId) && !present.has(leaveId))
      .map(({ leaveId }) => leaveId)
    if (withdrawn.length > 0) {
      await this.#deps.proofs.withdrawClaims(connection.id, userId, withdrawn)
    }
  }

  /** Either owner may be the wrong one, so no copy with such a leave may be shown any longer. */
  async #dropCopiesWith(
    connection: Connection,
    contested: readonly ContestedLeave[],
  ): Promise<void> {
    const leaveIds = new Set(contested.map(({ leaveId }) => leaveId))
    const users = new Set(contested.flatMap(({ userIds }) => userIds))
    const keys: string[] = []
    for (const subject of users) {
      const key = collectionKey({ kind: 'leaves', subject })
      const copy = await this.#deps.snapshots.findCopy<'leaves'>(connection.id, key)
      if (copy?.records.some(({ id }) => leaveIds.has(id))) keys.push(key)
    }
    await this.#deps.snapshots.dropCopies(connection.id, keys)
  }

  async #set(
    connection: Connection,
    state: LeaveProof['state'],
    reason: LeaveProofReason | null,
  ): Promise<void> {
    const before = await this.findProof(connection)
    if (before.state === state && before.reason === reason) return
    const since = before.state === state ? before.since : this.#deps.clock.now()
    await this.#deps.proofs.saveProof(connection.id, { state, reason, since })
    const { log } = this.#deps
    const data = { company: connection.company.id, state, reason }
    if (state === 'proven') log.info(data, 'leave_proof_changed')
    else log.warn(data, 'leave_proof_changed')
  }
}

async function askCanary({ api }: Connection, signal: AbortSignal): Promise<CanaryResult> {
  try {
    const { records, faults } = await api.list('leaves', { employee: unknownEmployee() }, signal)
    return records.length === 0 && faults.length === 0 ? 'clean' : 'canary_not_empty'
  } catch (error) {
    return isCleanRefusal(asAppError(error)?.status) ? 'clean' : 'canary_unanswered'
  }
}

/** A user id that nobody has. */
export function unknownEmployee(): string {
  return `usr_${randomBytes(16).toString('hex')}`
}

/** Whether a refusal of that status shows that the employee was looked at. */
export function isCleanRefusal(status: number | undefined): boolean {
  return status !== undefined && statusesOfCleanCanary.has(status)
}
