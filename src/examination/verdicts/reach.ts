import { AppError } from '../../domain/errors.ts'
import type { ProbeAnswer } from '../../domain/examination.ts'
import { isBusy, type ProbeOutcome, succeeded } from './outcomes.ts'

/** What came of asking for one of the first lists. */
export interface FirstAnswer {
  /** `schedules`, `timesheets`, … */
  readonly path: string
  readonly outcome: ProbeOutcome
}

/** Other base URLs of the same origin; null where none was found, or none had to be looked for. */
export interface FoundElsewhere {
  /** Where a list answers. */
  readonly answersAt: string | null
  /** Where a credential is asked for. */
  readonly deniesAt: string | null
}

export interface ReachFacts {
  readonly answers: readonly FirstAnswer[]
  readonly elsewhere: FoundElsewhere
}

/**
 * `answered`: a list came; `denied`: a credential is asked for; `refused`: it takes offence at the requests themselves, so
 * that lists have still to be tried as feeds ask for them; `busy`: it cannot answer just now; `silent`: nothing readable
 * comes; `stranger`: what answers is no Read API.
 */
export type ReachVerdict =
  | { readonly state: 'answered' }
  | { readonly state: 'denied' | 'refused' | 'busy'; readonly status: number }
  | { readonly state: 'silent'; readonly fault: AppError }
  | {
      readonly state: 'stranger'
      readonly replies: readonly Reply[]
      readonly elsewhere: FoundElsewhere
    }

export interface Reply extends Pick<ProbeAnswer, 'status' | 'redirectsTo'> {
  readonly path: string
}

/** Statuses by which what a request says is refused, whoever sent it. */
const refusals: ReadonlySet<number> = new Set([400, 422])

/** Whether a Read API is there: certain only if a list came. */
export function judgeReach({ answers, elsewhere }: ReachFacts): ReachVerdict {
  const replies = answers.flatMap(({ path, outcome }) =>
    succeeded(outcome) ? [{ path, ...outcome }] : [],
  )
  if (replies.some(({ records }) => records !== null)) return { state: 'answered' }
  const fault = answers.map(({ outcome }) => outcome).find((outcome) => outcome instanceof AppError)
  return (
    tellingReply(replies) ??
    (fault ? { state: 'silent', fault } : { state: 'stranger', replies, elsewhere })
  )
}

function tellingReply(replies: readonly ProbeAnswer[]): ReachVerdict | undefined {
  for (const [state, tells] of telling) {
    const reply = replies.find(tells)
    if (reply) return { state, status: reply.status }
  }
  return undefined
}

/** What an answer without a list says, the most telling first. */
const telling = [
  ['denied', isDenial],
  ['refused', ({ status }: ProbeAnswer) => refusals.has(status)],
  ['busy', isBusy],
] as const

/** Whether the Read API has to be looked for elsewhere. */
export function isLost(answers: readonly FirstAnswer[]): boolean {
  const { state } = judgeReach({ answers, elsewhere: { answersAt: null, deniesAt: null } })
  return state === 'stranger' || state === 'silent'
}

/** Whether a credential is asked for, or is not enough. */
export function isDenial({ status }: ProbeAnswer): boolean {
  return status === 401 || status === 403
}
