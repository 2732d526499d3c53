import { statSync } from 'node:fs'
import path from 'node:path'

import { sqliteFilesOf } from './database/sqlite-files.ts'
import type { Log } from './domain/world.ts'
import type { Settings } from './settings/read-settings.ts'

/** Reading, writing or running by anybody but the owner. */
const others = 0o077

/** Tells, in one line, which of the program's files others than their owner can open, and the command that mends it. */
export function warnOfLooseFiles(files: readonly string[], log: Log): void {
  const loose = files.flatMap((file) => {
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    return (mode & others) === 0 ? [] : [[file, mode.toString(8).padStart(4, '0')] as const]
  })
  if (loose.length === 0) return
  const mend = ['chmod 600', ...loose.map(([file]) => quoted(file))].join(' ')
  log.warn({ modes: Object.fromEntries(loose), mend }, 'files_open_to_others')
}

/** Everything that a bridge of these settings keeps in files. */
export function ownFiles(settings: Settings): readonly string[] {
  const { dataDirectory, databaseUrl, sandboxDatabaseUrl, companies } = settings
  const databases = companies === null ? [databaseUrl, sandboxDatabaseUrl] : [databaseUrl]
  const secrets = ['admin-token', 'demo-link', 'running.json'].map((name) =>
    path.join(dataDirectory, name),
  )
  return [...databases.flatMap(sqliteFilesOf), ...secrets]
}

/** As a shell takes it. */
function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`
}
