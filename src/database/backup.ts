import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'

import { AppError, cannotWrite } from '../domain/errors.ts'
import { onceFree } from './once-free.ts'
import { asDatabaseError } from './sqlite-errors.ts'

const ownerOnly = 0o600
/** Of 4 KB each: so many at a time take a few milliseconds. */
const pagesAtOnce = 1000
/** SQLite's codes (https://sqlite.org/rescode.html) for a disk that takes no more: full, I/O error; as the system calls them. */
const diskCodes = new Map([
  [13, 'ENOSPC'],
  [10, 'EIO'],
])

export interface BackupOptions {
  /** Told now and then how many of the pages are written. */
  readonly onPages?: (count: number, total: number) => void
  /** Aborted where it is to be given up. */
  readonly signal?: AbortSignal
}

/**
 * Writes a SQLite database as it stands at this instant into a new file of mode 0600, whatever others read and write
 * meanwhile. `conflict` where the file exists, `not_found` for a database without tables, `unavailable` where it cannot be
 * written: then there is no file.
 */
export async function backUpSqlite(
  database: string,
  file: string,
  options: BackupOptions = {},
): Promise<void> {
  refuseExisting(file)
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`
  try {
    closeSync(openSync(partial, 'wx', ownerOnly))
    await writePages(database, partial, options)
    putInPlace(partial, file)
  } catch (cause) {
    throw asFileFault(file, cause)
  } finally {
    for (const rest of [partial, `${partial}-journal`]) rmSync(rest, { force: true })
  }
}

/** `not_found`: what to say of an address under which there is none, often a mistyped one. */
export function noDatabase(database: string, why: string): AppError {
  return new AppError('not_found', `There is no database at ${database}: ${why}.`)
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw fileExists(file)
}

function fileExists(file: string): AppError {
  return new AppError('conflict', `The file ${file} exists already, and no backup replaces one.`)
}

/** A transaction that only reads holds the database's state: without it every write of others would begin the backup anew. */
async function writePages(
  database: string,
  partial: string,
  { onPages, signal }: BackupOptions,
): Promise<void> {
  const source = new DatabaseSync(database, { readOnly: true, timeout: 0 })
  try {
    source.exec('begin')
    const holding = await onceFree(() => holdState(source))
    if (!holding) throw noDatabase(database, 'the file holds no tables')
    await backup(source, partial, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted()
        onPages?.(totalPages - remainingPages, totalPages)
      },
    })
  } finally {
    source.close()
  }
}

/** Gives something if there is a table. */
function holdState(source: DatabaseSync): unknown {
  try {
    return source.prepare('select 1 from sqlite_schema limit 1').get()
  } catch (error) {
    throw asDatabaseError(error)
  }
}

/** A link is made only where there is no such file yet; not every file system has links. */
function putInPlace(partial: string, file: string): void {
  try {
    linkSync(partial, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw fileExists(file)
    refuseExisting(file)
    renameSync(partial, file)
  }
}

function asFileFault(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  const code = 'errcode' in cause ? diskCodes.get(Number(cause.errcode) % 256) : undefined
  if (code !== undefined) return cannotWrite(file, Object.assign(cause, { code }))
  return 'syscall' in cause ? cannotWrite(file, cause) : asDatabaseError(cause)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
