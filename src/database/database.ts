import { Kysely, type QueryExecutorProvider, sql } from 'kysely'

import { AppError } from '../domain/errors.ts'
import { openPostgresDialect, postgresTurns } from './postgres.ts'
import { emptySqliteLog, openSqliteDialect, sqliteTurns } from './sqlite.ts'

export type Dialect = 'sqlite' | 'postgres'

/** An open database; its queries and transactions fail with `conflict` and `unavailable`, anything else is a bug. */
export interface Database<Schema> extends Turns {
  readonly dialect: Dialect
  readonly queries: Kysely<Schema>
  /** Leaves no deleted bytes in a log beside the file, where there is one; false where others use the database just now. */
  emptyLog(): Promise<boolean>
  close(): Promise<void>
}

/** Who waits for whom, by the name of what they wait for; a turn ends with its transaction. */
export interface Turns {
  /** Waits until nobody else has that turn. */
  readonly takeTurn: WaitForTurn
  /** Waits until nobody has taken that turn; any number share it. */
  readonly shareTurn: WaitForTurn
}

type WaitForTurn = (transaction: QueryExecutorProvider, name: string) => Promise<void>

const openers = { sqlite: openSqliteDialect, postgres: openPostgresDialect }
const turns = { sqlite: sqliteTurns, postgres: postgresTurns }

/**
 * Opens `file:…` (SQLite: relative to the working directory, folders made, mode 0600) or `postgres://…`.
 * Fails with `invalid` for any other address and with `unavailable` where no database can be reached.
 * No message holds the address of a PostgreSQL database: its password may stand in it.
 */
export async function openDatabase<Schema>(url: string): Promise<Database<Schema>> {
  const dialect = dialectOf(url)
  const queries = new Kysely<Schema>({ dialect: openers[dialect](url) })
  await sql`select 1`.execute(queries)
  const emptyLog = (): Promise<boolean> =>
    dialect === 'sqlite' ? emptySqliteLog(queries) : Promise.resolve(true)
  return { dialect, queries, ...turns[dialect], emptyLog, close: () => queries.destroy() }
}

function dialectOf(url: string): Dialect {
  if (url.startsWith('file:')) return 'sqlite'
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres'
  throw new AppError('invalid', "A database's address begins with file: or postgres://.")
}
