import { inSteps } from '../../json/rest.ts'
import { agreed } from './agreement.ts'
import type { Claims } from './claims.ts'
import type { Known, Readings } from './evidence.ts'
import type { PersonsAnswer } from './leaves-reply.ts'
import type { Believed, Ownership } from './ownership.ts'
import type { ProofState } from './proof-state.ts'
import { Turns } from './turns.ts'

/**
 * What becomes of an answer that nothing spoke against. `contested`: its leaves have come for somebody else meanwhile, with
 * whom it is to be compared; `wronged`: they are others'; `overtaken`: the filter has been disproved meanwhile.
 */
export type Verdict =
  | { readonly is: 'believed'; readonly believed: Believed }
  | { readonly is: 'contested'; readonly claims: Claims }
  | { readonly is: 'wronged' | 'overtaken'; readonly believed?: undefined }

interface VerdictsDeps {
  readonly state: ProofState
  readonly ownership: Ownership
}

/** Notes what is believed, for one person after the other: of two who were read side by side the second is seen beside the first. */
export class Verdicts {
  readonly #deps: VerdictsDeps
  readonly #turns = new Turns()

  constructor(deps: VerdictsDeps) {
    this.#deps = deps
  }

  reach(answer: PersonsAnswer, known: Known, readings: Readings): Promise<Verdict> {
    return this.#turns.take(() => this.#reach(answer, known, readings))
  }

  async #reach(
    answer: PersonsAnswer,
    { claims, proof }: Known,
    readings: Readings,
  ): Promise<Verdict> {
    const { state, ownership } = this.#deps
    const now = await ownership.claimsTo(answer.userId, [...answer.ids])
    if (!now.rivals.isSubsetOf(claims.rivals)) return { is: 'contested', claims: now }
    const read = await inSteps(agreed(answer.ids, now, readings))
    const believed = await ownership.settleProven(answer, read)
    const isAgain = proof.state === 'disproved'
    if (!isAgain && (await state.areTwoWronged(proof))) return { is: 'wronged' }
    return (await state.setProven(proof)) ? { is: 'believed', believed } : { is: 'overtaken' }
  }
}
