/* Databases that have the bridge's tables already, for tests to copy. */
import path from 'node:path'

import { openStore } from '../../../src/store/open-store.ts'
import { createPostgresDatabase } from './postgres.ts'

/** Of the SQLite file in the run's folder. */
export const migratedFile = 'migrated.sqlite'
/** Of the PostgreSQL database. */
export const migratedName = 'migrated'

/** Makes both. */
export async function makeMigrated(folder: string, postgresUrl: string): Promise<void> {
  const postgres = await createPostgresDatabase(postgresUrl, migratedName)
  for (const url of [`file:${path.join(folder, migratedFile)}`, postgres]) {
    const store = await openStore(url)
    await store.close()
  }
}
