import { type Database, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { sandboxHistory } from './migrations.ts'
import type { SandboxTables } from './tables.ts'

/** The database on which a sandbox runs. */
export type SandboxDatabase = Database<SandboxTables>

/**
 * Opens `file:…` or `postgres://…` and brings its tables up to date. Fails with `invalid` for an address
 * that is neither and with `unavailable` where there is no database to be reached.
 */
export async function openSandboxDatabase(url: string): Promise<SandboxDatabase> {
  const database = await openDatabase<SandboxTables>(url, 'WORKFORCE_DATABASE_URL')
  try {
    await migrate(database, sandboxHistory)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
