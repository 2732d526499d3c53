import { readdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'

import { cannotWrite } from '../domain/errors.ts'
import { makeFolder } from './make-folder.ts'
import { removeOlder, timeInName } from './sqlite-files.ts'

/** What `backupFileIn` calls its files. */
const dated = /^bridge-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/
/** What a backup is called until it is whole, without the name of the file. */
const unfinished = /\.[\da-f]{12}\.partial(?:-journal)?$/
/** No backup takes as long: an older unfinished one was killed. */
const unfinishedMsMax = 86_400_000

/**
 * Returns the path of a backup made at that instant, in a folder that is created if it is missing. Removes what killed
 * backups have left there.
 */
export function backupFileIn(folder: string, now: number): string {
  try {
    makeFolder(folder)
    dropUnfinished(folder, now - unfinishedMsMax)
  } catch (cause) {
    throw cannotWrite(folder, cause)
  }
  return path.join(folder, `bridge-${timeInName(now)}.sqlite`)
}

function dropUnfinished(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const isOurs = unfinished.test(name) && dated.test(name.replace(unfinished, ''))
    if (isOurs) removeOlder(path.join(folder, name), before)
  }
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
