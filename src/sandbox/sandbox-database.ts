import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { AppError } from '../domain/errors.ts'
import { workforceHistory } from './migrations.ts'
import type { WorkforceTables } from './tables.ts'

/**
 * Opens `file:…` or `postgres://…` and brings its tables up to date. Fails with `invalid` for an address
 * that is neither and with `unavailable` where there is no database to be reached.
 */
export async function openSandboxDatabase(url: string): Promise<Database<WorkforceTables>> {
  const database = await openDatabase<WorkforceTables>(url, makeError)
  try {
    await migrate(database, workforceHistory)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

function makeError(code: AppError['code'], message: string, cause?: unknown): AppError {
  return new AppError(code, message, { cause })
}
