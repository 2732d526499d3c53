import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testLedgerStore } from './ledger-store-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  testLedgerStore(create)
})
