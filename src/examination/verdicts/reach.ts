import { AppError } from '../../domain/errors.ts'
import type { ProbeAnswer } from '../../domain/examination.ts'
import { isBusy, type ProbeOutcome, succeeded } from './outcomes.ts'

/** The lists that are asked for first, once each. */
export const firstLists = ['schedules', 'timesheets', 'leaves'] as const
/** Statuses by which a Read API shows that it is one, though it gives nothing. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 422])

export interface ReachFacts {
  /** What came of the first lists, in their order. */
  readonly outcomes: readonly ProbeOutcome[]
  /** Where a Read API answers instead; null where none was found, or none had to be looked for. */
  readonly otherBaseUrl: string | null
}

/** `busy`: it cannot answer just now; `silent`: nothing readable comes; `stranger`: what answers is no Read API. */
export type ReachVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly state: 'busy'; readonly status: number }
  | ({ readonly ok: false } & Pick<ReachFacts, 'otherBaseUrl'> & Absence)

type Absence =
  | { readonly state: 'silent'; readonly fault: AppError }
  | { readonly state: 'stranger'; readonly statuses: readonly number[] }

/** Whether a Read API is there: right only if a list came, or was refused as a Read API refuses it. */
export function judgeReach({ outcomes, otherBaseUrl }: ReachFacts): ReachVerdict {
  const replies = outcomes.filter(succeeded)
  if (replies.some(isReadApi)) return { ok: true }
  const busy = replies.find(isBusy)
  if (busy) return { ok: false, state: 'busy', status: busy.status }
  const fault = outcomes.find((outcome) => outcome instanceof AppError)
  const absence: Absence = fault
    ? { state: 'silent', fault }
    : { state: 'stranger', statuses: replies.map(({ status }) => status) }
  return { ok: false, otherBaseUrl, ...absence }
}

/** Whether the Read API has to be looked for elsewhere. */
export function isLost(outcomes: readonly ProbeOutcome[]): boolean {
  return !outcomes.filter(succeeded).some((reply) => isReadApi(reply) || isBusy(reply))
}

/** Whether an answer to a request for a list shows a Read API that lets in, or wants a credential. */
export function isOpenOrLocked({ status, records }: ProbeAnswer): boolean {
  return records !== null || status === 401 || status === 403
}

function isReadApi({ status, records }: ProbeAnswer): boolean {
  return records !== null || refusals.has(status)
}
