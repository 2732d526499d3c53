import type { Migrated } from '../cli/context.ts'
import { openDatabase } from '../database/database.ts'
import { countSteps, rehearse } from '../database/rehearse.ts'
import type { BackupOptions } from '../database/sqlite-files.ts'
import type { MigrationPlan } from '../domain/migration-plan.ts'
import type { Settings } from '../settings/read-settings.ts'
import { storeHistory } from '../store/migrations/history.ts'
import { openStore } from '../store/open-store.ts'

/** Says what `migrateStore` would do; see `rehearse`. */
export function planMigration(
  { databaseUrl }: Settings,
  options: Pick<BackupOptions, 'onPages' | 'signal'>,
): Promise<MigrationPlan> {
  return rehearse(databaseUrl, storeHistory, options)
}

/** Brings the tables up to date, as a start does. */
export async function migrateStore({ databaseUrl }: Settings): Promise<Migrated> {
  const taken = await countTaken(databaseUrl)
  let copy: string | null = null
  const store = await openStore(databaseUrl, (file) => {
    copy = file
  })
  await store.close()
  return { steps: storeHistory.migrations.slice(taken).map(({ name }) => name), copy }
}

async function countTaken(databaseUrl: string): Promise<number> {
  const database = await openDatabase<unknown>(databaseUrl)
  try {
    return await countSteps(database, storeHistory)
  } finally {
    await database.close()
  }
}
