import { statSync, type Stats } from 'node:fs'
import path from 'node:path'

import { sqliteFilesOf } from '../database/sqlite-files.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Log } from '../domain/world.ts'
import type { Settings } from '../settings/read-settings.ts'
import { shellWord } from '../text/shell-word.ts'

/** Logs the settings that have no effect because companies come from a file. */
export function warnOfReplaced({ replaced }: Settings, log: Log): void {
  if (replaced.length === 0) return
  const mend = 'COMPANIES_FILE replaces them: remove them, or set them for a company in that file'
  log.warn({ settings: replaced, mend }, 'settings_ignored')
}

/** Logs the companies with open feeds but no settings; their addresses return 503. */
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

/** Logs the files and folders that others than their owner can open, and the command that fixes them. */
export function warnOfLooseFiles(files: readonly string[], log: Log): void {
  const loose = files.flatMap((file) => {
    const found = statOf(file)
    return found && (found.mode & 0o077) !== 0 ? [{ file, found }] : []
  })
  if (loose.length === 0) return
  const modes = loose.map(({ file, found: { mode } }) => [
    file,
    (mode & 0o777).toString(8).padStart(4, '0'),
  ])
  const mend = [...Map.groupBy(loose, ({ found }) => (found.isDirectory() ? 700 : 600))].map(
    ([mode, some]) => [`chmod ${mode}`, ...some.map(({ file }) => shellWord(file))].join(' '),
  )
  log.warn({ modes: Object.fromEntries(modes), mend: mend.join(' && ') }, 'files_open_to_others')
}

/** Returns all files that the bridge itself writes. */
export function ownFiles(settings: Settings): readonly string[] {
  const { dataDirectory, databaseUrl, sandboxDatabaseUrl, companies } = settings
  const secrets = ['admin-token', 'demo-link', 'running.json']
  return [
    ...sqliteFilesOf(databaseUrl),
    ...(companies === null ? sqliteFilesOf(sandboxDatabaseUrl) : []),
    ...secrets.map((name) => path.join(dataDirectory, name)),
  ]
}

/**
 * Returns the data folder and the operator's secret files, if the account that runs the bridge owns them. Files mounted by
 * an orchestrator belong to root, so this account could not change them.
 */
export function operatorsFiles(
  { dataDirectory, secretFiles }: Pick<Settings, 'dataDirectory' | 'secretFiles'>,
  userId: number | undefined,
): readonly string[] {
  const files = [...new Set([...secretFiles, dataDirectory])]
  return files.filter((file) => userId !== undefined && statOf(file)?.uid === userId)
}

/** Also undefined if this account lacks access. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
