import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testFeedStore } from './feed-store-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  testFeedStore(create)
})
