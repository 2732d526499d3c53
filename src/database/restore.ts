import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  closeSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { AppError, cannot, cannotRead, cannotWrite } from '../domain/errors.ts'
import { checkCopy, type ReadRows, readStill } from './check-copy.ts'
import { sqliteCode } from './faults.ts'
import { makeFolder } from './make-folder.ts'
import type { MigrationHistory } from './migrate.ts'
import { busyCode } from './sqlite-connection.ts'
import {
  backUpSqlite,
  type BackupOptions,
  replacedSuffix,
  sqliteFile,
  timeInName,
} from './sqlite-files.ts'

const ownerOnly = 0o600
/** Follows the name of a database that is being written in its place. */
const stagedSuffix = '.restoring'
/** SQLite's codes: corrupt, no database. */
const unreadableCodes = new Set<number | undefined>([11, 26])

interface Restoring<T> extends Omit<BackupOptions, 'check'> {
  readonly history: MigrationHistory
  readonly now: number
  /** Changes the copy before it replaces the database. Its tables may be those of an earlier version. */
  readonly amend: (run: ReadRows) => void
  /** Compares the database that is replaced with the one that replaces it. */
  readonly compare: (replaced: ReadRows, restored: ReadRows) => T
}

export interface RestoredDatabase<T> {
  readonly database: string
  /** Where the former database is; null if there was none. */
  readonly replaced: string | null
  /** null if there was none, or one that cannot be read. */
  readonly compared: T | null
}

/**
 * Replaces the database by a copy of that file in one step: a kill leaves either the former or the new one. The former one stays beside
 * it. Fails with `not_found` or `invalid` if the file is no whole database of this program, `conflict` if the database is in
 * use, `unavailable` if files cannot be written; then nothing has changed.
 */
export async function restoreSqlite<T>(
  url: string,
  input: string,
  { history, now, amend, compare, ...options }: Restoring<T>,
): Promise<RestoredDatabase<T>> {
  const database = sqliteFile(url)
  const staged = database + stagedSuffix
  try {
    refuseInput(input, database)
  } catch (cause) {
    throw cause instanceof AppError ? cause : cannotRead(input, cause)
  }
  checkCopy(input, `The file ${input}`, history)
  try {
    makeFolder(path.dirname(database))
    removeStaged(database)
  } catch (cause) {
    throw cannotWrite(database, cause)
  }
  try {
    const check = (copy: string): void => checkCopy(copy, 'What was read of it', history)
    await backUpSqlite(input, staged, { ...options, check, isStill: true })
    amending(staged, amend)
    if (!existsSync(database)) {
      renameNow(staged, database)
      return { database, replaced: null, compared: null }
    }
    const replaced = `${database}${replacedSuffix}${timeInName(now)}`
    const compared = whileUnused(database, (isReadable) => {
      const found = isReadable ? comparing(database, staged, compare) : null
      keepBeside(database, replaced, now)
      renameNow(staged, database)
      return found
    })
    return { database, replaced, compared }
  } catch (cause) {
    throw cause instanceof Error && 'syscall' in cause ? cannotWrite(database, cause) : cause
  } finally {
    removeStaged(database)
  }
}

function refuseInput(input: string, database: string): void {
  const found = statSync(input, { throwIfNoEntry: false })
  if (!found) throw new AppError('not_found', `There is no file ${input}.`)
  if (!found.isFile()) throw new AppError('invalid', `${input} is no file.`)
  if (path.resolve(input).startsWith(database + stagedSuffix)) {
    const message = `${input} was left by a restore that was killed: name the backup.`
    throw new AppError('invalid', message)
  }
  const present = statSync(database, { throwIfNoEntry: false })
  if (present?.isDirectory()) {
    throw new AppError('invalid', `The database ${database} is a folder: move it away first.`)
  }
  if (present?.ino !== found.ino || present.dev !== found.dev) return
  throw new AppError('invalid', `${input} is the database itself: name a backup of it.`)
}

/** Also what a killed restore has left. */
function removeStaged(database: string): void {
  const { dir, base } = path.parse(database)
  for (const name of readdirSync(dir)) {
    if (name.startsWith(base + stagedSuffix)) rmSync(path.join(dir, name), { force: true })
  }
}

/**
 * Works while nobody else has the database open, with its log written into it. A file that SQLite cannot read counts as
 * unused.
 */
function whileUnused<T>(database: string, work: (isReadable: boolean) => T): T {
  const opened = new DatabaseSync(database, { timeout: 0 })
  let isReadable = true
  try {
    try {
      // Only possible while nobody else has it open.
      opened.exec('pragma journal_mode = delete')
      opened.exec('begin exclusive')
    } catch (cause) {
      const code = sqliteCode(cause)
      if (code === busyCode) {
        const message = `The database ${database} is in use: stop the bridge and its commands first.`
        throw new AppError('conflict', message, { cause })
      }
      if (!unreadableCodes.has(code)) throw cannot(`The database ${database} cannot be used`, cause)
      isReadable = false
    }
    return work(isReadable)
  } finally {
    opened.close()
  }
}

function amending(staged: string, amend: (run: ReadRows) => void): void {
  const copy = new DatabaseSync(staged)
  try {
    amend((text) => copy.prepare(text).all())
  } finally {
    copy.close()
  }
}

function comparing<T>(
  database: string,
  staged: string,
  compare: Restoring<T>['compare'],
): T | null {
  try {
    return readStill(database, (before) => readStill(staged, (after) => compare(before, after)))
  } catch (error) {
    // Damaged, or of a program with other tables.
    if (error instanceof Error && 'errstr' in error) return null
    throw error
  }
}

/** Gives the database a second name. A log that SQLite could not write into it moves along: the next database must not get it. */
function keepBeside(database: string, replaced: string, now: number): void {
  try {
    linkSync(database, replaced)
  } catch {
    // Not every file system has links.
    copyFileSync(database, replaced, constants.COPYFILE_EXCL)
  }
  chmodSync(replaced, ownerOnly)
  // It is removed some time after this, not after the last change.
  utimesSync(replaced, now / 1000, now / 1000)
  if (existsSync(`${database}-wal`)) renameSync(`${database}-wal`, `${replaced}-wal`)
  rmSync(`${database}-shm`, { force: true })
}

/** Flushed, so that the former file does not come back after a power failure. */
function renameNow(staged: string, database: string): void {
  renameSync(staged, database)
  const opened = openSync(path.dirname(database), 'r')
  fsyncSync(opened)
  closeSync(opened)
}
