import type { Dialect, QueryExecutorProvider } from 'kysely'

import type { LastWrite } from './faults.ts'

/** Waits for the turn with that name, which ends with the transaction. */
type WaitForTurn = (transaction: QueryExecutorProvider, name: string) => Promise<void>

/** What makes transactions wait for each other. */
export interface Turns {
  /** Waits until no other has that turn. */
  readonly takeTurn: WaitForTurn
  /** Waits until none has taken that turn; any number share it. */
  readonly shareTurn: WaitForTurn
}

/** A database by its driver. */
export interface Driven extends Turns {
  readonly dialect: Dialect
  readonly lastWrite: LastWrite
  /** Gives what runs a text, which is prepared once, with any values. */
  readonly prepare: (text: string) => (values: readonly unknown[]) => Promise<unknown>
  /** Ends what only prepared reads use. */
  readonly closeReads: () => Promise<void>
}
