import { describe } from 'vitest'

import { databases } from '../support/database/databases.ts'
import { testReadApi } from './read-api-contract.ts'

describe.each(databases)('Read API on $name', ({ create }) => {
  testReadApi(create)
})
