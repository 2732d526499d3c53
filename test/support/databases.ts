import { randomBytes } from 'node:crypto'
import path from 'node:path'

import { inject } from 'vitest'

import { createTestDatabase } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Removed after the run with all that lies in it. */
    temporaryFolder: string
  }
}

/** Gives the address of a database in which nothing stands yet; it goes with the run. */
export type CreateDatabase = () => Promise<string>

/** Both kinds of database, for `describe.each`. */
export const databases: readonly { readonly name: string; readonly create: CreateDatabase }[] = [
  { name: 'SQLite', create: async () => createSqliteDatabase() },
  { name: 'PostgreSQL', create: createTestDatabase },
]

/** The address of a file that is not there yet. */
export function createSqliteDatabase(): string {
  const folder = randomBytes(8).toString('hex')
  return `file:${path.join(inject('temporaryFolder'), folder, 'bridge.sqlite')}`
}
