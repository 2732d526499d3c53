import type { ProbeAnswer, ProbeCredential } from '../../domain/examination.ts'
import { type ProbeOutcome, succeeded } from './outcomes.ts'

export interface CredentialFacts {
  /** The credential as it is set, secrets as placeholders. */
  readonly set: string
  /** The answer that denies entry; undefined where none does. */
  readonly denial: ProbeAnswer | undefined
  /** Another way to send the same secret by which the Read API lets in; undefined where none was found or looked for. */
  readonly acceptedWay: ProbeCredential | undefined
}

/**
 * `sent_wrongly`: the same secret is accepted another way; `asked_for`: the answer names a scheme; `not_entitled`: it is
 * known but does not open the lists; `unknown`: nothing shows what is wanted.
 */
export type CredentialVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly state: 'sent_wrongly' | 'asked_for' | 'not_entitled' | 'unknown'
      /** That denies entry. */
      readonly status: number
      /** What to set, secrets as placeholders. */
      readonly right: string
    }

/** Whether what is set lets in and, if not, what may. */
export function judgeCredential({ set, denial, acceptedWay }: CredentialFacts): CredentialVerdict {
  if (!denial) return { ok: true }
  const { status } = denial
  if (acceptedWay) {
    return { ok: false, state: 'sent_wrongly', status, right: settingOf(acceptedWay) }
  }
  const wanted = schemeAskedFor(denial)
  if (wanted !== null) return { ok: false, state: 'asked_for', status, right: wanted }
  const state = status === 403 ? 'not_entitled' : 'unknown'
  return { ok: false, state, status, right: set === 'none' ? 'bearer:TOKEN' : set }
}

/** The answer that denies entry where no list came all the same. */
export function findDenial(outcomes: readonly ProbeOutcome[]): ProbeAnswer | undefined {
  const replies = outcomes.filter(succeeded)
  if (replies.some(({ records }) => records !== null)) return undefined
  return replies.find(({ status }) => status === 401 || status === 403)
}

function settingOf(way: ProbeCredential): string {
  return way.scheme === 'header' ? `header:${way.name}:VALUE` : `${way.scheme}:TOKEN`
}

/** RFC 9110 section 11.6.1; null where the answer does not say. */
function schemeAskedFor({ challenge }: ProbeAnswer): string | null {
  if (/\bbearer\b/i.test(challenge)) return 'bearer:TOKEN'
  return /\bbasic\b/i.test(challenge) ? 'basic:USER:PASSWORD' : null
}
