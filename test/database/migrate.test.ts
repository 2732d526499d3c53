import { describe } from 'vitest'

import { databases } from '../support/database/databases.ts'
import { testMigrate } from './migrate-contract.ts'

describe.each(databases)('migrations on $name', ({ create }) => {
  testMigrate(create)
})
