/*
 * The Read API's leaves carry no user id, so nothing in an answer shows whose leaves it holds. It is believed
 * only with proof: the same request for an employee who cannot exist must bring nothing, and no leave may
 * ever come for two employees.
 */
import { randomBytes } from 'node:crypto'

import type { Connection } from '../../domain/connection.ts'
import { collectionKey, type CopyStore } from '../../domain/copy.ts'
import { asAppError } from '../../domain/errors.ts'
import type {
  ContestedLeave,
  LeaveProof,
  LeaveProofReason,
  LeaveProofStore,
} from '../../domain/leave.ts'
import type { ReadApi } from '../../domain/read-api.ts'
import type { Clock, Log } from '../../domain/world.ts'

/** Answers to a request for an unknown employee that show that the employee was looked at. */
const cleanStatuses: ReadonlySet<number> = new Set([400, 404, 422])

/** What the request for an employee who cannot exist has shown. */
type CanaryResult = 'clean' | 'canary_not_empty' | 'canary_unanswered'

/** The leaves that came for a user. */
interface LeavesAnswer {
  readonly userId: string
  readonly leaveIds: readonly string[]
  /** Whether they were asked for without a feed. */
  readonly ofDraft?: boolean | undefined
}

interface LeaveProverDeps {
  readonly connection: Connection
  readonly proofs: LeaveProofStore
  readonly copies: Pick<CopyStore, 'findCopy' | 'dropCopies'>
  readonly clock: Clock
  readonly log: Log
}

/** Decides whether a leaves answer of a company may be kept. */
export class LeaveProver {
  readonly #deps: LeaveProverDeps
  /** The canary under way, and the one that will be sent after it. */
  #running: Promise<CanaryResult> | undefined
  #waiting: Promise<CanaryResult> | undefined

  constructor(deps: LeaveProverDeps) {
    this.#deps = deps
  }

  /** What is known of the company's employee filter. */
  findProof(): Promise<LeaveProof> {
    return this.#deps.proofs.findProof(this.#deps.connection.id)
  }

  /** Notes that the connection has no employee parameter: nothing is asked, leaves stay unproven. */
  async noteNoParameter(): Promise<void> {
    await this.#set('unproven', 'no_parameter')
  }

  /**
   * Tries to prove the answer, and says whether it may be kept. A canary is sent after this call; one serves all
   * answers that wait for it. Never throws for what the Read API does.
   */
  async prove(answer: LeavesAnswer, signal: AbortSignal): Promise<boolean> {
    const canary = await this.#sendCanary(signal)
    if (canary === 'clean') return this.#claim(answer)
    await this.#noteFailedCanary(canary)
    return false
  }

  /** Drops a copy just kept where another node has seen one of its leaves come for somebody else meanwhile; whether there was one. */
  async dropContested(userId: string): Promise<boolean> {
    const contested = (await this.#listContested()).filter(({ userIds }) =>
      userIds.includes(userId),
    )
    if (contested.length > 0) await this.#dropCopiesWith(contested)
    return contested.length > 0
  }

  /**
   * Asks again for everyone for whom a disputed leave came, and lets go of the claims of those for whom it no longer
   * comes: one of them may have no feed any more that would ask, and while a dispute lasts nothing new is kept for anybody.
   */
  async settleDisputes(signal: AbortSignal): Promise<void> {
    const contested = await this.#listContested()
    for (const userId of new Set(contested.flatMap(({ userIds }) => userIds))) {
      await this.#askAgain(userId, signal)
    }
  }

  async #askAgain(employee: string, signal: AbortSignal): Promise<void> {
    try {
      const { records } = await this.#deps.connection.api.list('leaves', { employee }, signal)
      await this.prove({ userId: employee, leaveIds: records.map(({ id }) => id) }, signal)
    } catch (error) {
      // Who cannot be asked keeps their claim until the next hour.
      if (!asAppError(error)) throw error
    }
  }

  #listContested(): Promise<readonly ContestedLeave[]> {
    return this.#deps.proofs.listContested(this.#deps.connection.id)
  }

  #sendCanary(signal: AbortSignal): Promise<CanaryResult> {
    if (this.#waiting) return this.#waiting
    const next = Promise.resolve(this.#running).then(() => {
      this.#waiting = undefined
      this.#running = next
      return askForNobody(this.#deps.connection.api, signal)
    })
    this.#waiting = next
    return next.finally(() => {
      if (this.#running === next) this.#running = undefined
    })
  }

  async #noteFailedCanary(reason: LeaveProofReason): Promise<void> {
    if (reason === 'canary_not_empty') return this.#set('disproved', reason)
    const { state } = await this.findProof()
    if (state === 'unproven') await this.#set(state, reason)
  }

  async #claim({ userId, leaveIds, ofDraft = false }: LeavesAnswer): Promise<boolean> {
    await this.#withdrawDisputed(userId, leaveIds)
    const { proofs, connection } = this.#deps
    const contested = await proofs.claimLeaves(connection.id, userId, leaveIds, !ofDraft)
    if (contested.length > 0) await this.#dropCopiesWith(contested)
    const isDisputed = contested.length > 0 || (await this.#listContested()).length > 0
    await (isDisputed ? this.#set('disproved', 'two_employees') : this.#set('proven', null))
    return !isDisputed
  }

  /** A disputed leave that no longer comes for this user was not theirs, or is gone: either way no claim is left. */
  async #withdrawDisputed(userId: string, ids: readonly string[]): Promise<void> {
    const present = new Set(ids)
    const withdrawn = (await this.#listContested())
      .filter(({ leaveId, userIds }) => userIds.includes(userId) && !present.has(leaveId))
      .map(({ leaveId }) => leaveId)
    if (withdrawn.length === 0) return
    await this.#deps.proofs.withdrawClaims(this.#deps.connection.id, userId, withdrawn)
  }

  /** Either owner may be the wrong one, so no copy with such a leave may be shown any longer. */
  async #dropCopiesWith(contested: readonly ContestedLeave[]): Promise<void> {
    const { connection, copies } = this.#deps
    const leaveIds = new Set(contested.map(({ leaveId }) => leaveId))
    const keys: string[] = []
    for (const subject of new Set(contested.flatMap(({ userIds }) => userIds))) {
      const key = collectionKey({ kind: 'leaves', subject })
      const copy = await copies.findCopy<'leaves'>(connection.id, key)
      if (copy?.records.some(({ id }) => leaveIds.has(id))) keys.push(key)
    }
    await copies.dropCopies(connection.id, keys)
  }

  async #set(state: LeaveProof['state'], reason: LeaveProofReason | null): Promise<void> {
    const { connection, proofs, clock, log } = this.#deps
    const before = await this.findProof()
    if (before.state === state && before.reason === reason) return
    const since = before.state === state ? before.since : clock.now()
    await proofs.saveProof(connection.id, { state, reason, since })
    const data = { company: connection.company.id, state, reason }
    if (state === 'proven') log.info(data, 'leave_proof_changed')
    else log.warn(data, 'leave_proof_changed')
  }
}

/** Asks for the leaves of an employee who cannot exist: where that brings some, the filter is not looked at. */
async function askForNobody(api: ReadApi, signal: AbortSignal): Promise<CanaryResult> {
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
  return status !== undefined && cleanStatuses.has(status)
}
