import { describe } from 'vitest'

import { databases } from '../../support/database/databases.ts'
import { testImport, testImportAtOnce } from './import-contract.ts'

describe.each(databases)('import on $name', ({ create }) => {
  testImport(create)
})

/* Many nodes are a matter of PostgreSQL; within one process SQLite could only wait for itself. */
describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'nodes on $name',
  ({ create }) => {
    testImportAtOnce(create)
  },
)
