import { accessSync, constants, statSync, type Stats } from 'node:fs'
import path from 'node:path'

import { sqliteFilesOf } from '../database/sqlite-files.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Log } from '../domain/world.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Tells, in one line, which settings are set and mean nothing, since companies stand in a file. */
export function warnOfReplaced({ replaced }: Settings, log: Log): void {
  if (replaced.length === 0) return
  const mend = 'COMPANIES_FILE replaces them: remove them, or set them for a company in that file'
  log.warn({ settings: replaced, mend }, 'settings_ignored')
}

/** Tells, in one line, of which companies there are open feeds and no settings, so that their addresses answer 503. */
export async function warnOfFeedsWithoutCompany(
  feeds: Pick<FeedStore, 'countOpenFeeds'>,
  companies: ReadonlyMap<string, unknown>,
  log: Log,
): Promise<void> {
  const counts = [...(await feeds.countOpenFeeds())].filter(([id]) => !companies.has(id))
  if (counts.length === 0) return
  const mend =
    'set the company up again under the same id, or end its feeds: feed list --company ID --state open --csv > feeds.csv, then feed revoke --from feeds.csv'
  log.warn({ feeds: Object.fromEntries(counts), answers: 503, mend }, 'feeds_without_company')
}

/** Reading, writing or running by anybody but the owner. */
const others = 0o077

/** Tells, in one line, which of the program's files and folders others than their owner can open, and the command that mends it. */
export function warnOfLooseFiles(files: readonly string[], log: Log): void {
  const loose = files.flatMap((file) => {
    const found = statOf(file)
    return found && isLoose(found) ? [{ file, found }] : []
  })
  if (loose.length === 0) return
  const modes = loose.map(({ file, found }) => [file, modeOf(found)] as const)
  const parts = Map.groupBy(loose, ({ found }) => (found.isDirectory() ? 700 : 600))
  const mend = [...parts].map(([mode, some]) =>
    [`chmod ${mode}`, ...some.map(({ file }) => quoted(file))].join(' '),
  )
  log.warn({ modes: Object.fromEntries(modes), mend: mend.join(' && ') }, 'files_open_to_others')
}

/** Everything that a bridge of these settings keeps in files, and the folder that it keeps it in. */
export function ownFiles(settings: Settings): readonly string[] {
  const { dataDirectory, databaseUrl, sandboxDatabaseUrl, companies } = settings
  const databases = companies === null ? [databaseUrl, sandboxDatabaseUrl] : [databaseUrl]
  const secrets = ['admin-token', 'demo-link', 'running.json'].map((name) =>
    path.join(dataDirectory, name),
  )
  return [...databases.flatMap(sqliteFilesOf), ...secrets]
}

/**
 * The data folder, and what an operator has written secrets into: as far as it belongs to the account that runs the bridge, and can be
 * changed. What an orchestrator mounts (Kubernetes and Docker: owned by root, or on a file system that is read-only) has the
 * mode that is set there, and is seen in one container only: nobody could follow the advice.
 */
export function operatorsFiles(
  { dataDirectory, secretFiles }: Pick<Settings, 'dataDirectory' | 'secretFiles'>,
  userId: number | undefined,
): readonly string[] {
  return [...new Set([...secretFiles, dataDirectory])].filter((file) => {
    const found = statOf(file)
    return found !== undefined && found.uid === userId && !isMountedReadOnly(file)
  })
}

/** undefined also where this account may not look: a setting that is ignored may name anything. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isLoose({ mode }: Stats): boolean {
  return (mode & others) !== 0
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

function isMountedReadOnly(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS'
  }
}

/** As a shell takes it. */
function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`
}
