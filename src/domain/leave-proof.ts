import type { Instant } from './instant.ts'

/** Whether a connection's Read API filters leaves by employee: without proof no leave is shown. */
export interface LeaveProof {
  readonly state: 'unproven' | 'proven' | 'disproved'
  /** Why it is disproved, or why it is still unproven; null where proven. */
  readonly reason: LeaveProofReason | null
  /** When the state was last set. */
  readonly since: Instant
}

export type LeaveProofReason =
  | 'not_asked'
  | 'no_parameter'
  | 'canary_unanswered'
  | 'canary_not_empty'
  | 'two_employees'
