import type { Connection } from '../../domain/connection.ts'
import { asAppError } from '../../domain/errors.ts'
import type { LeaveProofStore } from '../../domain/leave.ts'
import type { Clock, Log } from '../../domain/world.ts'
import { repeat } from '../repeated-work.ts'
import type { LeaveProver } from './leave-prover.ts'

const everyMs = 3_600_000

interface LeaveDisputesDeps {
  readonly proofs: Pick<LeaveProofStore, 'listContested'>
  readonly prover: Pick<LeaveProver, 'admits'>
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Asks once an hour again for everyone for whom a disputed leave came: one of them may have no feed any more that would
 * ask, and while a dispute lasts nothing new is kept for anybody.
 */
export class LeaveDisputes {
  readonly #deps: LeaveDisputesDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: LeaveDisputesDeps) {
    this.#deps = deps
  }

  start(): void {
    const work = (signal: AbortSignal): Promise<void> => this.settle(signal)
    this.#end ??= repeat({ name: 'leave_disputes', everyMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  /** Lets go of the claims of those for whom the disputed leave no longer comes. */
  async settle(signal: AbortSignal): Promise<void> {
    for (const connection of this.#deps.connections.values()) {
      const contested = await this.#deps.proofs.listContested(connection.id)
      for (const userId of new Set(contested.flatMap(({ userIds }) => userIds))) {
        await this.#askAgain(connection, userId, signal)
      }
    }
  }

  async #askAgain(connection: Connection, userId: string, signal: AbortSignal): Promise<void> {
    try {
      const { records } = await connection.api.list('leaves', { employee: userId }, signal)
      const leaveIds = records.map(({ id }) => id)
      await this.#deps.prover.admits(connection, { userId, leaveIds }, signal)
    } catch (error) {
      // Who cannot be asked keeps their claim until the next hour.
      if (!asAppError(error)) throw error
    }
  }
}
