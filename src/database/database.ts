import { type Compilable, Kysely, sql } from 'kysely'

import { AppError } from '../domain/errors.ts'
import { type Turns, type Driven } from './driver.ts'
import { type LastWrite, namingFile } from './faults.ts'
import { namingServer, openPostgres, postgresTurns } from './postgres.ts'
import { type PreparedRead, prepareRead } from './prepared-read.ts'
import {
  type BackupOptions,
  backUpBefore,
  backUpTo,
  dropBackups,
  listBackups,
  sqliteFile,
} from './sqlite-files.ts'
import { emptySqliteLog, openMemory, openSqlite, sqliteTurns } from './sqlite.ts'

export type Dialect = 'sqlite' | 'postgres'

/** An open database; its queries and transactions fail with `conflict` and `unavailable`, anything else is a bug. */
export interface Database<Schema> extends Turns {
  readonly dialect: Dialect
  /** null where it is none. */
  readonly file: string | null
  readonly queries: Kysely<Schema>
  readonly lastWrite: LastWrite
  /** Prepares a query for what is read often; it waits for no transaction. */
  prepareRead<Values extends object, Row>(query: Compilable<Row>): PreparedRead<Values, Row>
  /** Leaves no deleted bytes in a log beside the file, where there is one; false where others use the database for so long. */
  emptyLog(forMs: number): Promise<boolean>
  /** Backs a file up beside itself as it is before that version of its tables, unless that has been done; gives where to. */
  backUpBefore(version: number): Promise<string | undefined>
  /** The files that `backUpBefore` has left. */
  listBackups(): readonly string[]
  /** Removes those of them that were written before that instant. */
  dropBackups(before: number): void
  /** Fails what is under way where a server does not answer. */
  close(): Promise<void>
}

const openers = { sqlite: openSqlite, postgres: openPostgres }
const turns = { sqlite: sqliteTurns, postgres: postgresTurns }

/**
 * Opens `file:…` (SQLite: relative to the working directory, folders made, mode 0600) or `postgres://…`.
 * Fails with `invalid` for any other address and with `unavailable` where no database can be reached.
 * Of the address of a PostgreSQL database a message holds the setting that names it, the host and the port, and never what
 * may be a password.
 */
export async function openDatabase<Schema>(
  url: string,
  setting = 'DATABASE_URL',
): Promise<Database<Schema>> {
  const dialect = dialectOf(url)
  const file = dialect === 'sqlite' ? sqliteFile(url) : null
  const open = async (): Promise<Queried<Schema>> => {
    const opened = queried<Schema>(await openers[dialect](url))
    await sql`select 1`.execute(opened.queries)
    return opened
  }
  const opened = await (file === null ? namingServer(url, setting, open) : namingFile(file, open))
  const files = dialect === 'sqlite' ? sqliteFiles(url, opened.queries) : noFiles
  return { dialect, file, ...opened, ...turns[dialect], ...files }
}

type Queried<Schema> = Pick<Database<Schema>, 'queries' | 'lastWrite' | 'prepareRead' | 'close'>

function queried<Schema>({ dialect, runText, lastWrite, closeReads }: Driven): Queried<Schema> {
  const queries = new Kysely<Schema>({ dialect })
  const close = async (): Promise<void> => {
    await closeReads()
    await queries.destroy()
  }
  let closing: Promise<void> | undefined
  return {
    queries,
    lastWrite,
    prepareRead: (query) => prepareRead(query, runText),
    close: () => (closing ??= close()),
  }
}

/** A copy of the database at that address for `backup`: see `backUpSqlite`; `invalid` where it is PostgreSQL. */
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

type Files = Pick<Database<unknown>, 'emptyLog' | 'backUpBefore' | 'listBackups' | 'dropBackups'>

/** PostgreSQL looks after its own, memory has none. */
const noFiles: Files = {
  emptyLog: async () => true,
  backUpBefore: async () => undefined,
  listBackups: () => [],
  dropBackups: () => undefined,
}

function sqliteFiles<Schema>(url: string, queries: Kysely<Schema>): Files {
  return {
    emptyLog: (forMs) => emptySqliteLog(queries, forMs),
    backUpBefore: (version) => backUpBefore(url, version),
    listBackups: () => listBackups(url),
    dropBackups: (before) => dropBackups(url, before),
  }
}

/** A database of which nothing is ever on a disk; what it holds goes when it is closed. */
export function openMemoryDatabase<Schema>(): Database<Schema> {
  return {
    dialect: 'sqlite',
    file: null,
    ...queried<Schema>(openMemory()),
    ...turns.sqlite,
    ...noFiles,
  }
}

function dialectOf(url: string): Dialect {
  if (url.startsWith('file:')) return 'sqlite'
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgres'
  throw new AppError('invalid', "A database's address begins with file: or postgres://.")
}
