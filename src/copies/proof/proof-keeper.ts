import type { LeaveClaim } from '../../domain/leave.ts'
import type { LeaveProver, LeaveProverDeps } from './leave-prover.ts'
import { askLeaves, idsIn } from './leaves-reply.ts'

/** So many are asked for at a time, in turns. */
const disputantsMax = 20

interface ProofKeeperDeps extends LeaveProverDeps {
  readonly prover: LeaveProver
}

/** Looks after a proof while nobody polls, and where polls show nothing new. */
export class ProofKeeper {
  readonly #deps: ProofKeeperDeps
  #turn = 0

  constructor(deps: ProofKeeperDeps) {
    this.#deps = deps
  }

  /** Asks again for those for whom disputed leaves have come, and tries ids that look alike once a day. */
  async keep(signal: AbortSignal): Promise<void> {
    const { prover } = this.#deps
    const disputes = await prover.ownership.shared()
    for (const userId of this.#inTurn(disputes)) await this.#askFor(userId, disputes, signal)
    const proof = await prover.state.current()
    if (proof.state !== 'proven' || prover.state.hasBattery(proof)) return
    await prover.tryBattery(new Map(), signal)
  }

  /** Somebody by whose leaves a disproved filter can be tried again; undefined where it need not be. */
  async findWitness(): Promise<string | undefined> {
    const { prover } = this.#deps
    if (!(await prover.isDisproved())) return undefined
    return (await prover.others.withLeaves(1))[0]
  }

  #inTurn(disputes: readonly LeaveClaim[]): readonly string[] {
    const people = [...new Set(disputes.map(({ userId }) => userId))]
    const start = people.length > disputantsMax ? (this.#turn * disputantsMax) % people.length : 0
    this.#turn += 1
    return [...people.slice(start), ...people.slice(0, start)].slice(0, disputantsMax)
  }

  async #askFor(
    userId: string,
    disputes: readonly LeaveClaim[],
    signal: AbortSignal,
  ): Promise<void> {
    const { connection, prover } = this.#deps
    const reply = await askLeaves({ api: connection.api, signal, employee: userId })
    if (reply === 'unanswered') return
    const hasLeft = (await prover.ownership.departed([userId])).has(userId)
    const came = hasLeft ? new Set<string>() : idsIn(reply)
    const concerned = new Set(disputes.map(({ leaveId }) => leaveId))
    const present = [...concerned.intersection(came)]
    const absent = [...concerned.difference(came)]
    await prover.ownership.note({ userId, present, absent, mayOwn: false, onlyInFeed: false })
  }
}
