import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { asAppError } from '../domain/errors.ts'
import { type BackupOptions, backUpSqlite, noDatabase } from './backup.ts'

/** With what the names of a database's log and its index end. */
const logSuffixes = ['-wal', '-shm']
/** Then the version of the tables before which the backup was made. */
const backupSuffix = '.before-'

/** The file that a `file:` address names. */
export function sqliteFile(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : path.resolve(url.slice('file:'.length))
}

/** The database at that address and what lies beside it, as far as it is there; nothing where it is no SQLite. */
export function sqliteFilesOf(url: string): readonly string[] {
  if (!url.startsWith('file:')) return []
  const file = sqliteFile(url)
  const own = [file, ...logSuffixes.map((suffix) => file + suffix)]
  return [...own.filter((it) => existsSync(it)), ...listBackups(url)]
}

/** `unavailable` or `conflict` as `backUpSqlite`, `not_found` where there is no database to back up. */
export async function backUpTo(url: string, file: string, options?: BackupOptions): Promise<void> {
  const database = sqliteFile(url)
  const found = statSync(database, { throwIfNoEntry: false })
  if (!found) throw noDatabase(database, 'there is no such file')
  if (found.isDirectory()) throw noDatabase(database, 'it is a folder')
  await backUpSqlite(database, file, options)
}

/** Backs the database up beside itself, unless that version's backup is there: it is of an older state, which is what one goes back to. */
export async function backUpBefore(url: string, version: number): Promise<string | undefined> {
  const database = sqliteFile(url)
  const file = `${database}${backupSuffix}${version}`
  try {
    await backUpSqlite(database, file)
    return file
  } catch (error) {
    if (asAppError(error)?.code === 'conflict') return undefined
    throw error
  }
}

/** What `backUpBefore` has left there. */
export function listBackups(url: string): readonly string[] {
  const database = sqliteFile(url)
  const start = path.basename(database) + backupSuffix
  return listFolder(path.dirname(database))
    .filter((name) => name.startsWith(start))
    .toSorted()
    .map((name) => path.join(path.dirname(database), name))
}

/** Removes those of them that were written before that instant. */
export function dropBackups(url: string, before: number): void {
  for (const file of listBackups(url)) {
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (written !== undefined && written < before) rmSync(file, { force: true })
  }
}

/** None where the folder cannot be listed. */
function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
