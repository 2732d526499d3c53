import { readdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'

import { cannotWrite } from '../domain/errors.ts'
import { makeFolder } from './make-folder.ts'
import { timeInName } from './sqlite-files.ts'

/** What `backupFileIn` calls its files. */
const dated = /^bridge-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/

/** Returns the path of a backup made at that instant, in a folder that is created if it is missing. */
export function backupFileIn(folder: string, now: number): string {
  try {
    makeFolder(folder)
  } catch (cause) {
    throw cannotWrite(folder, cause)
  }
  return path.join(folder, `bridge-${timeInName(now)}.sqlite`)
}

/**
 * Removes the oldest dated backups beside this one, so that with it `keep` remain; returns their paths. The database itself
 * stays, which may be a backup that is used in its place.
 */
export function dropOldest(newest: string, keep: number, database: string): readonly string[] {
  const { dir, base } = path.parse(newest)
  const used = realpathSync(database)
  const isUsed = (name: string): boolean => realpathSync(path.join(dir, name)) === used
  const others = readdirSync(dir, { withFileTypes: true })
    .filter((it) => it.isFile() && dated.test(it.name) && it.name !== base && !isUsed(it.name))
    .map(({ name }) => name)
    .toSorted()
  const dropped = others.slice(0, Math.max(0, others.length - (keep - 1)))
  const files = dropped.map((name) => path.join(dir, name))
  try {
    for (const file of files) rmSync(file)
  } catch (cause) {
    throw cannotWrite(dir, cause)
  }
  return files
}
