import { type Kysely, sql, type Transaction } from 'kysely'

import { AppError } from '../domain/errors.ts'
import type { Database, Dialect } from './database.ts'
import { namingFile } from './faults.ts'

/** The part of kysely that knows no tables yet: its schema builder, and `sql` by its executor. */
export type SchemaQueries = Pick<Kysely<unknown>, 'schema' | 'getExecutor'>

/** One step of a schema's history; it runs once, within a transaction. */
export interface Migration {
  readonly name: string
  up(queries: SchemaQueries, dialect: Dialect): Promise<void>
}

export interface MigrationHistory {
  /** The table in which the steps that were taken are noted. */
  readonly table: string
  /** Order is all: add at the end, change nothing that has been released. */
  readonly migrations: readonly Migration[]
}

/**
 * Takes the steps that the database has not seen yet, each in a transaction of its own; nodes that start together take
 * turns. A file in which something stands is backed up first, and `onBackup` told where to; where that fails nothing is
 * changed. Fails with `invalid` where the database has taken more steps than the program knows.
 */
export async function migrate<Schema>(
  database: Database<Schema>,
  history: MigrationHistory,
  onBackup: (file: string) => void = () => undefined,
): Promise<void> {
  const version = history.migrations.length
  const taken = await namingFile(database.file, () =>
    database.queries.transaction().execute(async (transaction) => {
      await database.takeTurn(transaction, history.table)
      return countTaken(history.table, transaction)
    }),
  )
  const backup = taken > 0 && taken < version ? await database.backUpBefore(version) : undefined
  if (backup !== undefined) onBackup(backup)
  await namingFile(database.file, () => takeSteps(database, history))
}

async function takeSteps<Schema>(
  database: Database<Schema>,
  history: MigrationHistory,
): Promise<void> {
  const taken = await database.queries
    .transaction()
    .execute((transaction) => takeNextStep(database, history, transaction))
  if (taken < history.migrations.length) await takeSteps(database, history)
}

/** Takes one step, if there is one to take, and gives the number of those taken by then. */
async function takeNextStep<Schema>(
  { dialect, takeTurn }: Database<Schema>,
  { table, migrations }: MigrationHistory,
  transaction: Transaction<Schema>,
): Promise<number> {
  await takeTurn(transaction, table)
  const taken = await countTaken(table, transaction)
  if (taken > migrations.length) {
    throw new AppError('invalid', 'The database was written by a newer version of the program.')
  }
  const next = migrations[taken]
  if (!next) return taken
  await next.up(transaction, dialect)
  await sql`insert into ${sql.table(table)} (version, name) values (${taken + 1}, ${next.name})`.execute(
    transaction,
  )
  return taken + 1
}

async function countTaken<Schema>(
  table: string,
  transaction: Transaction<Schema>,
): Promise<number> {
  await transaction.schema
    .createTable(table)
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute()
  const { rows } = await sql<{
    taken: number
  }>`select count(*) as taken from ${sql.table(table)}`.execute(transaction)
  return rows[0]?.taken ?? 0
}
