import { onTestFinished } from 'vitest'

import { type Database, openDatabase } from '../../../src/database/database.ts'

/** Opens the database until the test ends. */
export async function open(url: string): Promise<Database<unknown>> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  return database
}
