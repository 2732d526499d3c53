import { Kysely, sql } from 'kysely'

import type { MakeError } from './database-errors.ts'
import { openPostgresDialect } from './postgres.ts'
import { openSqliteDialect } from './sqlite.ts'

export type Dialect = 'sqlite' | 'postgres'

/** An open database; its queries and transactions fail with what `makeError` makes of a driver's error. */
export interface Database<Schema> {
  readonly dialect: Dialect
  readonly queries: Kysely<Schema>
  readonly makeError: MakeError
  close(): Promise<void>
}

/**
 * Opens `file:…` (SQLite: relative to the working directory, folders made, mode 0600) or `postgres://…`.
 * Fails with `invalid` for any other address and with `unavailable` where no database can be reached.
 * No message holds the address of a PostgreSQL database: its password may stand in it.
 */
export async function openDatabase<Schema>(
  url: string,
  makeError: MakeError = plainError,
): Promise<Database<Schema>> {
  const dialect = dialectOf(url, makeError)
  const queries = new Kysely<Schema>({ dialect: openers[dialect](url, makeError) })
  await sql`select 1`.execute(queries)
  return { dialect, queries, makeError, close: () => queries.destroy() }
}

function plainError(_code: string, message: string, cause?: unknown): Error {
  return new Error(message, { cause })
}

const openers = { sqlite: openSqliteDialect, postgres: openPostgresDialect }

function dialectOf(url: string, makeError: MakeError): Dialect {
  if (url.startsWith('file:')) return 'sqlite'
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres'
  throw makeError('invalid', "A database's address begins with file: or postgres://.")
}
