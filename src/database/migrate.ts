import { type Kysely, sql, type Transaction } from 'kysely'

import { AppError } from '../domain/errors.ts'
import type { Database, Dialect } from './database.ts'
import { namingFile } from './faults.ts'

/** Follows the name of a database or file in a sentence. */
export const newerProgram = 'was written by a newer version of the program'

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
  let taken = await inTurn(async (transaction) => {
    await sql`create table if not exists ${sql.table(history.table)}
      (version integer primary key, name text not null)`.execute(transaction)
    return countTaken(history, transaction)
  })
  const backup = taken > 0 && taken < version ? await database.backUpBefore(version) : undefined
  if (backup !== undefined) onBackup(backup)
  do {
    taken = await inTurn((transaction) => takeNextStep(database.dialect, history, transaction))
  } while (taken < version)
}

/** Takes the next step, if any; returns the number of steps taken so far. */
async function takeNextStep<Schema>(
  dialect: Dialect,
  history: MigrationHistory,
  transaction: Transaction<Schema>,
): Promise<number> {
  const { table, migrations } = history
  const taken = await countTaken(history, transaction)
  const next = migrations[taken]
  if (!next) return taken
  await next.up(transaction, dialect)
  const noted = sql`insert into ${sql.table(table)} (version, name) values (${taken + 1}, ${next.name})`
  await noted.execute(transaction)
  return taken + 1
}

/** Returns how many steps the database has had. Fails with `invalid` if the program knows fewer. */
export async function countTaken<Schema>(
  { table, migrations }: MigrationHistory,
  queries: Kysely<Schema>,
): Promise<number> {
  const counted = sql<{ taken: number }>`select count(*) as taken from ${sql.table(table)}`
  const taken = (await counted.execute(queries)).rows[0]?.taken ?? 0
  if (taken <= migrations.length) return taken
  throw new AppError(
    'invalid',
    `The database ${newerProgram}: install that version, or restore a backup made before it.`,
  )
}
