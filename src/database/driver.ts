import { type Dialect as QueryDialect, type QueryExecutorProvider } from 'kysely'

import { type LastWrite } from './faults.ts'
import { type RunText } from './prepared-read.ts'

/** Who waits for whom, by the name of what they wait for; a turn ends with its transaction. */
export interface Turns {
  /** Waits until nobody else has that turn. */
  readonly takeTurn: WaitForTurn
  /** Waits until nobody has taken that turn; any number share it. */
  readonly shareTurn: WaitForTurn
}

/** A database by its driver. */
export interface Driven {
  readonly dialect: QueryDialect
  readonly runText: RunText
  readonly lastWrite: LastWrite
  /** Ends what only prepared reads use. */
  readonly closeReads: () => Promise<void>
}

export type WaitForTurn = (transaction: QueryExecutorProvider, name: string) => Promise<void>
