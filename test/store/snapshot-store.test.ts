import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testSnapshotStore } from './snapshot-store-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  testSnapshotStore(create)
})
