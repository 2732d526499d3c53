import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testLeaveProofStore } from './leave-proof-store-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  testLeaveProofStore(create)
})
