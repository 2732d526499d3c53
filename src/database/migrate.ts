import { type Kysely, sql, type Transaction } from 'kysely'

import { AppError } from '../domain/errors.ts'
import type { Database, Dialect } from './database.ts'
import { namingFile } from './faults.ts'

/** Follows the name of a database or file. */
export const newerProgram = 'was written by a newer version of the program'

export function writtenByNewer(): AppError {
  return new AppError(
    'invalid',
    `The database ${newerProgram}: install that version, or restore a backup made before it.`,
  )
}

export type SchemaQueries = Pick<Kysely<unknown>, 'schema' | 'getExecutor'>

/** One step of a schema history; runs once, in a transaction. */
export interface Migration {
  readonly name: string
  up(queries: SchemaQueries, dialect: Dialect): Promise<void>
}

export interface MigrationHistory {
  /** The table that records the steps taken. */
  readonly table: string
  /** Order matters: only append, and never change a released step. */
  readonly migrations: readonly Migration[]
}

/**
 * Runs the steps that the database has not had yet, each in its own transaction; nodes that start together take turns. An
 * existing file is backed up first, and `onBackup` gets the path; if the backup fails, nothing changes. Fails with
 * `invalid` if the database has more steps than the program knows.
 */
export async function migrate<Schema>(
  database: Database<Schema>,
  history: MigrationHistory,
  onBackup: (file: string) => void = () => undefined,
): Promise<void> {
  const version = history.migrations.length
  const queries = database.queries.withoutPlugins()
  const inTurn = (work: (transaction: Transaction<Schema>) => Promise<number>): Promise<number> =>
    namingFile(database.file, () =>
      queries.transaction().execute(async (transaction) => {
        await database.takeTurn(transaction, history.table)
        return work(transaction)
      }),
    )
  let taken = await inTurn((transaction) => countTaken(history.table, transaction))
  const backup = taken > 0 && taken < version ? await database.backUpBefore(version) : undefined
  if (backup !== undefined) onBackup(backup)
  do {
    taken = await inTurn((transaction) => takeNextStep(database.dialect, history, transaction))
  } while (taken < version)
}

/** Takes the next step, if any; returns the number of steps taken so far. */
async function takeNextStep<Schema>(
  dialect: Dialect,
  { table, migrations }: MigrationHistory,
  transaction: Transaction<Schema>,
): Promise<number> {
  const taken = await countTaken(table, transaction)
  if (taken > migrations.length) {
    throw writtenByNewer()
  }
  const next = migrations[taken]
  if (!next) return taken
  await next.up(transaction, dialect)
  const noted = sql`insert into ${sql.table(table)} (version, name) values (${taken + 1}, ${next.name})`
  await noted.execute(transaction)
  return taken + 1
}

async function countTaken<Schema>(
  table: string,
  transaction: Transaction<Schema>,
): Promise<number> {
  const steps = sql.table(table)
  await sql`create table if not exists ${steps} (version integer primary key, name text not null)`.execute(
    transaction,
  )
  const counted = sql<{ taken: number }>`select count(*) as taken from ${steps}`
  return (await counted.execute(transaction)).rows[0]?.taken ?? 0
}
