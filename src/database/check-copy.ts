import { existsSync, statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'

import { AppError } from '../domain/errors.ts'
import { type MigrationHistory, newerProgram } from './migrate.ts'
import { asDatabaseError } from './sqlite-connection.ts'
import { stillUrl } from './sqlite-files.ts'

/** Returns the rows of a query. */
export type ReadRows = (text: string) => readonly Readonly<Record<string, SQLOutputValue>>[]

/**
 * Reads a SQLite file that nobody writes, and leaves nothing beside it. A log beside the file is read too, as a copy of a
 * running database has one.
 */
export function readStill<T>(file: string, work: (read: ReadRows) => T): T {
  const database = new DatabaseSync(stillUrl(file), { readOnly: true, timeout: 0 })
  try {
    return work((text) => database.prepare(text).all())
  } finally {
    database.close()
  }
}

/** Fails with `invalid` unless the file is a whole database of this program, or of one before it; `called` names it. */
export function checkCopy(file: string, called: string, { table, migrations }: History): void {
  const wrong = (why: string, cause?: unknown): AppError =>
    new AppError('invalid', `${called} ${why}.`, { cause })
  try {
    readStill(file, (read) => {
      if (isCutShort(file, read)) throw wrong('is cut short')
      const [fault] = read('pragma integrity_check(1)')
      const found = String(fault?.['integrity_check'])
      if (found !== 'ok') throw wrong(`is damaged (${found.split('\n').at(-1)})`)
      const tables = read(`select 1 from sqlite_schema where name = '${table}'`)
      const steps = tables.length === 0 ? [] : read(`select name from ${table} order by version`)
      if (steps.length === 0) throw wrong('is no database of this program')
      if (steps.length > migrations.length) throw wrong(newerProgram)
      const isKnown = steps.every(({ name }, index) => name === migrations[index]?.name)
      if (!isKnown) throw wrong('was written by another program')
    })
  } catch (cause) {
    if (!(cause instanceof Error && 'errstr' in cause)) throw asDatabaseError(cause)
    throw wrong(`cannot be read (${String(cause.errstr)})`, cause)
  }
}

type History = Pick<MigrationHistory, 'table' | 'migrations'>

/** SQLite itself takes pages that are missing at the end for empty ones. */
function isCutShort(file: string, read: ReadRows): boolean {
  if (existsSync(`${file}-wal`)) return false
  const [pages] = read(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  )
  return statSync(file).size < Number(pages?.['bytes'])
}
