import { randomBytes } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
} from 'node:fs'
import path from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { asAppError, AppError, cannotWrite } from '../domain/errors.ts'
import { sqliteCode } from './faults.ts'
import { asDatabaseError, onceFree, translating } from './sqlite-connection.ts'

/** Precedes the version in a backup's name: the one before which it was taken. */
const backupSuffix = '.before-'
/** Precedes the time in the name of a database that a restore has replaced. */
export const replacedSuffix = '.replaced-'

/** Returns the instant as names of files have it, such as 2026-01-01T02-00-00Z. */
export function timeInName(now: number): string {
  const time = new Date(now).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
  return `${time.replaceAll(':', '-')}Z`
}

/** Returns the path in a `file:` address. */
export function sqliteFile(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : path.resolve(url.slice('file:'.length))
}

/** Returns the existing files of the database, backups included; none if it is not SQLite. */
export function sqliteFilesOf(url: string): readonly string[] {
  if (!url.startsWith('file:')) return []
  const own = ['', '-wal', '-shm'].map((suffix) => sqliteFile(url) + suffix)
  return [...own.filter((it) => existsSync(it)), ...listBackups(url)]
}

/**
 * Backs the database up in its folder and returns the path. An existing backup for that version stays: it contains the
 * older state.
 */
export async function backUpBefore(url: string, version: number): Promise<string | undefined> {
  const database = sqliteFile(url)
  const file = fileBefore(database, version)
  try {
    await backUpSqlite(database, file)
    return file
  } catch (error) {
    if (asAppError(error)?.code === 'conflict') return undefined
    throw error
  }
}

/** Returns where `backUpBefore` puts its backup. */
export function fileBefore(database: string, version: number): string {
  return `${database}${backupSuffix}${version}`
}

/** Lists the backups of `backUpBefore`, and databases that were replaced. */
export function listBackups(url: string): readonly string[] {
  const { dir, base } = path.parse(sqliteFile(url))
  let names: readonly string[] = []
  try {
    names = readdirSync(dir)
  } catch {
    // A folder that cannot be listed counts as having no backups.
  }
  const starts = [backupSuffix, replacedSuffix].map((suffix) => base + suffix)
  const backups = names.filter((name) => starts.some((start) => name.startsWith(start)))
  return backups.toSorted().map((name) => path.join(dir, name))
}

/** Removes backups last written before that instant. */
export function dropBackups(url: string, before: number): void {
  for (const file of listBackups(url)) removeOlder(file, before)
}

/** Removes the file if it was last written before that instant. */
export function removeOlder(file: string, before: number): void {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (written !== undefined && written < before) rmSync(file, { force: true })
}

const ownerOnly = 0o600
/** Pages of 4 KB: this many take a few milliseconds. */
const pagesAtOnce = 1000
/** SQLite's codes (https://sqlite.org/rescode.html) for disk full and I/O error, with the system's names for them. */
const diskCodes = new Map<number | undefined, string>([
  [13, 'ENOSPC'],
  [10, 'EIO'],
])

export interface BackupOptions {
  /** Called now and then with the number of written pages. */
  readonly onPages?: (count: number, total: number) => void
  /** Aborts the backup. */
  readonly signal?: AbortSignal
  /** Fails if the copy is no backup; it is removed then. */
  readonly check?: (copy: string) => void
  /** Whether nobody writes the database meanwhile: then it is read even where nothing can be written. */
  readonly isStill?: boolean
}

/** Fails with `not_found` if there is no database to back up; else does what `backUpSqlite` does. */
export async function backUpTo(url: string, file: string, options?: BackupOptions): Promise<void> {
  const database = sqliteFile(url)
  const found = statSync(database, { throwIfNoEntry: false })
  if (!found) throw noDatabase(database, 'there is no such file')
  if (found.isDirectory()) throw noDatabase(database, 'it is a folder')
  await backUpSqlite(database, file, options)
}

/**
 * Writes a SQLite database, as of this instant, to a new file of mode 0600, while others may read and write. Fails with
 * `conflict` if the file exists, `not_found` for a database without tables, `unavailable` if it cannot be written; then no
 * file remains.
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
    options.check?.(partial)
    putInPlace(partial, file)
  } catch (cause) {
    throw asFileFault(file, cause)
  } finally {
    for (const rest of [partial, `${partial}-journal`]) rmSync(rest, { force: true })
  }
}

/** `not_found` for an address without a database, often a typo. */
function noDatabase(database: string, why: string): AppError {
  return new AppError('not_found', `There is no database at ${database}: ${why}.`)
}

/** A symbolic link counts as existing, wherever it leads. */
function refuseExisting(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })) return
  throw new AppError('conflict', `The file ${file} exists already, and no backup replaces one.`)
}

/** A read transaction preserves the database's state: without it, every write of others would restart the backup. */
async function writePages(
  database: string,
  partial: string,
  { onPages, signal, isStill = false }: BackupOptions,
): Promise<void> {
  const address = isStill ? stillUrl(database) : database
  const source = new DatabaseSync(address, { readOnly: true, timeout: 0 })
  try {
    source.exec('begin')
    const anyTable = 'select 1 from sqlite_schema limit 1'
    const holding = await onceFree(() => translating(() => source.prepare(anyTable).get()))
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

/** SQLite makes files beside a file that it only reads, unless the address says that nobody writes it. */
export function stillUrl(file: string): URL {
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1')
  return url
}

/** A hard link never replaces a file, but not every file system has links. */
function putInPlace(partial: string, file: string): void {
  try {
    linkSync(partial, file)
  } catch {
    refuseExisting(file)
    renameSync(partial, file)
  }
}

function asFileFault(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  const code = diskCodes.get(sqliteCode(cause))
  if (code !== undefined) return cannotWrite(file, Object.assign(cause, { code }))
  return 'syscall' in cause ? cannotWrite(file, cause) : asDatabaseError(cause)
}
