import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'

import { inject } from 'vitest'

import { allOr } from '../bridge/thorough.ts'
import { migratedFile, migratedName } from './migrated.ts'
import { createTestDatabase } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Removed after the run with all that lies in it. */
    temporaryFolder: string
  }
}

/** Gives the address of a database of its own; it goes with the run. */
export type CreateDatabase = () => Promise<string>

interface TestDatabase {
  readonly name: string
  /** One in which nothing stands yet. */
  readonly create: CreateDatabase
  /** One that has the bridge's tables, which takes a tenth of the time of making them. */
  readonly createMigrated: CreateDatabase
}

/** Both kinds of database, for `describe.each`. */
export const databases: readonly TestDatabase[] = [
  {
    name: 'SQLite',
    create: async () => createSqliteDatabase(),
    createMigrated: async () => migratedSqliteDatabase(),
  },
  {
    name: 'PostgreSQL',
    create: createTestDatabase,
    createMigrated: () => createTestDatabase(migratedName),
  },
]

/** Both where there is time, else one: what is the same on each, since the tests of the store try all that it does on both. */
export function anyDatabase(): readonly TestDatabase[] {
  return allOr(databases, ({ name }) => name === 'SQLite')
}

/** The address of a file that is not there yet. */
export function createSqliteDatabase(): string {
  return `file:${path.join(folderOfItsOwn(), 'bridge.sqlite')}`
}

/** The address of a file that has the bridge's tables. */
export function migratedSqliteDatabase(): string {
  const file = path.join(folderOfItsOwn(), 'bridge.sqlite')
  mkdirSync(path.dirname(file))
  copyFileSync(path.join(inject('temporaryFolder'), migratedFile), file)
  return `file:${file}`
}

function folderOfItsOwn(): string {
  return path.join(inject('temporaryFolder'), randomBytes(8).toString('hex'))
}
