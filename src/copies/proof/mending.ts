/* What spoke against an answer, or was missing, and the one request that would show whether it is so still. */
import type { Connection } from '../../domain/connection.ts'
import type { LeaveProofReason } from '../../domain/leave.ts'
import { areEqual, areSame, type Compared, shares } from './comparison.ts'
import { askLeaves, idsIn, isNone, type PersonsAnswer } from './leaves-reply.ts'
import type { Others } from './others.ts'
import type { Rounds } from './round.ts'
import { withoutLast } from './similar-ids.ts'

/** What speaks against an answer, or is missing, with the request that would show whether it is so still. */
export interface CounterEvidence {
  readonly against: LeaveProofReason | null
  readonly isMendedBy: (signal: AbortSignal) => Promise<boolean>
}

type PersonsIds = readonly [userId: string, ids: ReadonlySet<string>]

interface MendingDeps {
  readonly connection: Connection
  readonly rounds: Rounds
  readonly others: Others
}

/** Finds out later, by one request where that is enough, whether a proof can be tried again. */
export class Mending {
  readonly #deps: MendingDeps

  constructor(deps: MendingDeps) {
    this.#deps = deps
  }

  /** After whoever spoke against the answer. */
  ofDisproof(
    reason: LeaveProofReason,
    { userId, ids }: PersonsAnswer,
    { others }: Compared,
  ): CounterEvidence {
    const same = [...others].find(([, reply]) => areSame(ids, idsIn(reply)))
    if (reason === 'two_employees' && same) {
      const isMendedBy = this.#untilDifferent([userId, ids], [same[0], idsIn(same[1])])
      return { against: reason, isMendedBy }
    }
    const cut = reason === 'similar_id' ? withoutLast(userId) : undefined
    return { against: reason, isMendedBy: (signal) => this.#isClean(cut, ids, signal) }
  }

  /** After nobody's request, or another person's in turn: the next in turn may answer. */
  ofSilence({ nobody, cut }: Compared): CounterEvidence {
    const isMendedBy = async (signal: AbortSignal): Promise<boolean> => {
      const [other] =
        nobody === 'unanswered' || cut === 'unanswered' ? [] : await this.#deps.others.next('')
      const reply = await (other === undefined
        ? this.#deps.rounds.askForNobody(signal)
        : this.#ask(other, signal))
      return reply !== 'unanswered'
    }
    return { against: null, isMendedBy }
  }

  /** After that person's own. */
  ofSilent(userId: string): CounterEvidence {
    return {
      against: null,
      isMendedBy: async (signal) => (await this.#ask(userId, signal)) !== 'unanswered',
    }
  }

  /** After an answer with all leaves of somebody who is silent, or with those of somebody who may be taken for the person: the answer itself is asked for again, too. */
  ofSilentOwner(owner: string, { userId, ids }: PersonsAnswer): CounterEvidence {
    const inTurns = [userId, owner]
    const isMendedBy = async (signal: AbortSignal): Promise<boolean> => {
      const [next = ''] = inTurns
      inTurns.reverse()
      const reply = await this.#ask(next, signal)
      return reply !== 'unanswered' && (next === owner || !areEqual(ids, idsIn(reply)))
    }
    return { against: null, isMendedBy }
  }

  async #isClean(
    cut: string | undefined,
    ids: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (cut === undefined) return isNone(await this.#deps.rounds.askForNobody(signal))
    const reply = await this.#ask(cut, signal)
    return reply !== 'unanswered' && !shares(ids, idsIn(reply))
  }

  /** Either may have been answered with the other's, whoever has more rather: they are asked in turns, and both once one has changed. */
  #untilDifferent(own: PersonsIds, other: PersonsIds): CounterEvidence['isMendedBy'] {
    const answers = new Map([own, other])
    const askAnew = async (userId: string, signal: AbortSignal): Promise<boolean> => {
      const reply = await this.#ask(userId, signal)
      const before = answers.get(userId)
      if (reply !== 'unanswered') answers.set(userId, idsIn(reply))
      return reply !== 'unanswered' && !areEqual(before ?? new Set(), idsIn(reply))
    }
    const areDifferent = (): boolean => {
      const [one, two] = [...answers.values()]
      return !areSame(one ?? new Set(), two ?? new Set())
    }
    const inTurns = [...answers.keys()].toSorted(
      (one, two) => (answers.get(two)?.size ?? 0) - (answers.get(one)?.size ?? 0),
    )
    return async (signal) => {
      const [first = '', second = ''] = inTurns
      inTurns.reverse()
      if (!(await askAnew(first, signal)) || areDifferent()) return areDifferent()
      await askAnew(second, signal)
      return areDifferent()
    }
  }

  #ask(employee: string, signal: AbortSignal): ReturnType<typeof askLeaves> {
    return askLeaves({ api: this.#deps.connection.api, signal, employee })
  }
}
