import { type Compilable, Kysely, type KyselyPlugin, sql } from 'kysely'

import { AppError } from '../domain/errors.ts'
import type { Driven, Turns } from './driver.ts'
import { type LastWrite, namingFile } from './faults.ts'
import { namingServer, openPostgres } from './postgres.ts'
import { type PreparedRead, prepareRead } from './prepared-read.ts'
import {
  type BackupOptions,
  backUpBefore,
  backUpTo,
  dropBackups,
  listBackups,
  sqliteFile,
} from './sqlite-files.ts'
import { emptySqliteLog, openMemory, openSqlite } from './sqlite.ts'

export type Dialect = 'sqlite' | 'postgres'

/** An open database. Queries and transactions fail with `conflict` or `unavailable`; anything else is a bug. */
export interface Database<Schema> extends Turns {
  readonly dialect: Dialect
  /** null unless it is a SQLite file. */
  readonly file: string | null
  readonly queries: Kysely<Schema>
  readonly lastWrite: LastWrite
  /** Prepares a frequent query; it never waits for a transaction. */
  readonly prepareRead: <Values extends object, Row>(
    query: Compilable<Row>,
  ) => PreparedRead<Values, Row>
  /** Removes deleted bytes from a log beside the file; false if others use the database for that long. */
  readonly emptyLog: (forMs: number) => Promise<boolean>
  /** Backs the file up beside itself before a migration to that version, once; returns the path. */
  readonly backUpBefore: (version: number) => Promise<string | undefined>
  /** Backups made by `backUpBefore`. */
  readonly listBackups: () => readonly string[]
  /** Deletes backups older than that instant. */
  readonly dropBackups: (before: number) => void
  /** Closes the database; pending queries fail if the server does not respond. */
  readonly close: () => Promise<void>
}

interface Opening {
  /** The setting with the address, for messages. */
  readonly setting?: string
  readonly plugins?: KyselyPlugin[]
}

/**
 * Opens `file:…` (SQLite: relative to the working directory, creates folders, mode 0600) or `postgres://…`. Fails with
 * `invalid` for any other address, and with `unavailable` if no database can be reached. For PostgreSQL, messages contain
 * only host and port, never what may be a password.
 */
export async function openDatabase<Schema>(
  url: string,
  { setting = 'DATABASE_URL', plugins = [] }: Opening = {},
): Promise<Database<Schema>> {
  if (dialectOf(url) === 'postgres') {
    return namingServer(url, setting, () => tried(databaseOn(openPostgres(url), plugins)))
  }
  const file = sqliteFile(url)
  const opened = await namingFile(file, async () =>
    tried(databaseOn<Schema>(await openSqlite(url), plugins)),
  )
  return {
    ...opened,
    dialect: 'sqlite',
    file,
    emptyLog: (forMs) => emptySqliteLog(opened.queries, forMs),
    backUpBefore: (version) => backUpBefore(url, version),
    listBackups: () => listBackups(url),
    dropBackups: (before) => dropBackups(url, before),
  }
}

export function openMemoryDatabase<Schema>(plugins: KyselyPlugin[]): Database<Schema> {
  return { ...databaseOn<Schema>(openMemory(), plugins), dialect: 'sqlite' }
}

async function tried<Schema>(database: Database<Schema>): Promise<Database<Schema>> {
  await sql`select 1`.execute(database.queries)
  return database
}

/** Defaults for databases without files: PostgreSQL manages its own, memory has none. */
function databaseOn<Schema>(driven: Driven, plugins: KyselyPlugin[]): Database<Schema> {
  const { dialect, prepare, lastWrite, takeTurn, shareTurn, closeReads } = driven
  const queries = new Kysely<Schema>({ dialect, plugins })
  const close = async (): Promise<void> => {
    await closeReads()
    await queries.destroy()
  }
  let closing: Promise<void> | undefined
  return {
    dialect: 'postgres',
    file: null,
    queries,
    lastWrite,
    takeTurn,
    shareTurn,
    prepareRead: (query) => prepareRead(query, prepare, plugins),
    emptyLog: async () => true,
    backUpBefore: async () => undefined,
    listBackups: () => [],
    dropBackups: () => undefined,
    close: () => (closing ??= close()),
  }
}

/** Writes a backup; see `backUpTo`. Fails with `invalid` for PostgreSQL. */
export async function backUpDatabase(
  url: string,
  file: string,
  options?: BackupOptions,
): Promise<void> {
  if (dialectOf(url) === 'sqlite') return backUpTo(url, file, options)
  throw new AppError(
    'invalid',
    'A PostgreSQL database is backed up by its own program: pg_dump --format=custom --file=backup.dump "$DATABASE_URL".',
  )
}

function dialectOf(url: string): Dialect {
  if (url.startsWith('file:')) return 'sqlite'
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres'
  throw new AppError('invalid', "A database's address begins with file: or postgres://.")
}
