import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testSnapshotStore } from './copy-store-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  testSnapshotStore(create)
})
