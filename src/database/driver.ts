import type { Dialect, QueryExecutorProvider } from 'kysely'

import type { LastWrite } from './faults.ts'

/** Waits for the named turn, which ends with the transaction. */
type WaitForTurn = (transaction: QueryExecutorProvider, name: string) => Promise<void>

/** Named locks between transactions. */
export interface Turns {
  /** Exclusive. */
  readonly takeTurn: WaitForTurn
  /** Shared. */
  readonly shareTurn: WaitForTurn
}

export interface Driven extends Turns {
  readonly dialect: Dialect
  readonly lastWrite: LastWrite
  /** Prepares a text once and returns a function that runs it. */
  readonly prepare: (text: string) => (values: readonly unknown[]) => Promise<unknown>
  /** Closes the connections of prepared reads. */
  readonly closeReads: () => Promise<void>
}
