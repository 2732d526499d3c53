import { describe } from 'vitest'

import { testImport } from './import-contract.ts'
import { testReadApi } from './read-api-contract.ts'
import { temporarySqlite } from './temporary-sqlite.ts'

const createDatabaseUrl = temporarySqlite()

describe('Read API on SQLite', () => {
  testReadApi(createDatabaseUrl)
})
describe('import into SQLite', () => {
  testImport(createDatabaseUrl)
})
