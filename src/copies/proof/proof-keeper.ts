import { leaveOf } from './claims.ts'
import type { LeaveProver, LeaveProverDeps } from './leave-prover.ts'
import { askLeaves } from './leaves-reply.ts'

/** So many are asked for at a time, in turns. */
const disputantsMax = 100
/** So many take turns: some may be refused. */
const witnessesMax = 20

interface ProofKeeperDeps extends LeaveProverDeps {
  readonly prover: LeaveProver
}

/** Looks after a proof while nobody polls, and where polls show nothing new. */
export class ProofKeeper {
  readonly #deps: ProofKeeperDeps
  /** Who was asked for last. */
  #last = ''
  #turn = -1

  constructor(deps: ProofKeeperDeps) {
    this.#deps = deps
  }

  /** Asks again for those for whom disputed leaves have come, and tries ids that look alike once a day. */
  async keep(signal: AbortSignal): Promise<void> {
    const { prover } = this.#deps
    await this.#askDisputants(signal)
    const proof = await prover.state.current()
    if (proof.state !== 'proven' || prover.state.hasBattery(proof)) return
    await prover.tryBattery(new Map(), signal)
  }

  /** Somebody by whose leaves a disproved filter can be tried again; undefined where it need not be. */
  async findWitness(): Promise<string | undefined> {
    const { prover } = this.#deps
    if (!(await prover.isDisproved())) return undefined
    const people = await prover.others.withLeaves(witnessesMax)
    return people[(this.#turn += 1) % people.length]
  }

  /** Nobody else asks for those whose calendars are closed or not polled, and their leaves may be another's by now. */
  async #askDisputants(signal: AbortSignal): Promise<void> {
    const { connection, proofs, prover } = this.#deps
    const claims = await proofs.listDisputedAfter(connection.id, this.#last, disputantsMax)
    const byPerson = Map.groupBy(claims, ({ userId }) => userId)
    this.#last = byPerson.size < disputantsMax ? '' : ([...byPerson.keys()].at(-1) ?? '')
    for (const [employee, disputed] of byPerson) {
      const reply = await askLeaves({ api: connection.api, signal, employee })
      const leaves = new Set(disputed.map(leaveOf))
      await prover.ownership.noteReplies(new Map([[employee, reply]]), leaves, new Set([employee]))
    }
  }
}
