/* What somebody types in to try a Read API before it is set up, and what comes of it. */
import type { Authentication } from '../domain/connection.ts'
import type { Examination } from '../domain/examination.ts'

export interface TypedConnection {
  readonly address: string
  readonly timezone: string
  readonly scheme: Authentication['scheme']
  /** Of the user, the header field or the query parameter; empty for other schemes. */
  readonly name: string
  readonly secret: string
}

/** `insecure`: the credential would be sent in plain text; `private` and `never` as in `HostRefusal`. */
export type AddressFault = 'address' | 'insecure' | 'private' | 'never'
export interface TypedFaults {
  readonly address?: AddressFault
  readonly timezone?: 'timezone'
  readonly name?: 'name'
  readonly secret?: 'secret'
}

export type TrialResult =
  | {
      readonly is: 'examined'
      readonly examination: Examination
      readonly lines: readonly string[]
    }
  | { readonly is: 'faulty'; readonly faults: TypedFaults }
  /** Another trial is under way on this node. */
  | { readonly is: 'busy' }
  | { readonly is: 'late' }

export interface Trials {
  /** Examines that Read API as `doctor` would. Nothing of it is kept or logged. */
  run(typed: TypedConnection, signal: AbortSignal): Promise<TrialResult>
}
