import { statSync } from 'node:fs'

import type { BackupMade, BackupTarget, Restored } from '../cli/context.ts'
import { backupFileIn, dropOldest } from '../database/backup-folder.ts'
import { checkCopy } from '../database/check-copy.ts'
import { backUpDatabase } from '../database/database.ts'
import { restoreSqlite } from '../database/restore.ts'
import { type BackupOptions, sqliteFile } from '../database/sqlite-files.ts'
import { AppError } from '../domain/errors.ts'
import type { Settings } from '../settings/read-settings.ts'
import { storeHistory } from '../store/migrations/history.ts'
import { forgetSyncHistories, undoneByRestore } from '../store/undone-by-restore.ts'
import { findPublicUrl } from './data-directory.ts'

interface Options extends Pick<BackupOptions, 'onPages' | 'signal'> {
  readonly now: number
}

/** Backs the database up. The copy counts only if it is whole; only then are older ones removed. */
export async function backUp(
  { databaseUrl }: Settings,
  target: BackupTarget,
  { now, ...options }: Options,
): Promise<BackupMade> {
  const isDated = 'folder' in target
  const check = (copy: string): void =>
    checkCopy(copy, `Nothing was kept: the copy of ${sqliteFile(databaseUrl)}`, storeHistory)
  const file = isDated ? backupFileIn(target.folder, now) : target.file
  await backUpDatabase(databaseUrl, file, { ...options, check })
  const { size: bytes } = statSync(file)
  const keep = isDated ? target.keep : undefined
  const database = sqliteFile(databaseUrl)
  return { file, bytes, removed: keep === undefined ? [] : dropOldest(file, keep, database) }
}

/** Puts a backup in place of the database; see `restoreSqlite`. Fails with `conflict` while the bridge runs. */
export async function restore(
  { databaseUrl, dataDirectory }: Settings,
  input: string,
  options: Options,
): Promise<Restored> {
  if (!databaseUrl.startsWith('file:')) {
    throw new AppError(
      'invalid',
      'A PostgreSQL database is restored by its own program, into an empty database: pg_restore --no-owner --dbname="$DATABASE_URL" backup.dump.',
    )
  }
  const running = await findPublicUrl(dataDirectory)
  if (running !== undefined) {
    throw new AppError('conflict', `The bridge runs on this data (${running}): stop it first.`)
  }
  const restoring = {
    ...options,
    history: storeHistory,
    amend: forgetSyncHistories,
    compare: undoneByRestore,
  }
  const { compared, ...restored } = await restoreSqlite(databaseUrl, input, restoring)
  return { ...restored, undone: compared }
}
