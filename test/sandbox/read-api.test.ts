import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testImport, testImportAtOnce } from './import-contract.ts'
import { testReadApi } from './read-api-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  describe('the Read API', () => {
    testReadApi(create)
  })
  describe('an import', () => {
    testImport(create)
  })
})

/* Many nodes are a matter of PostgreSQL; within one process SQLite could only wait for itself. */
describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'nodes on $name',
  ({ create }) => {
    testImportAtOnce(create)
  },
)
