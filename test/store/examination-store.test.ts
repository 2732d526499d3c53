import { describe } from 'vitest'

import { databases } from '../support/databases.ts'
import { testExaminationStore } from './examination-store-contract.ts'

describe.each(databases)('on $name', ({ create }) => {
  testExaminationStore(create)
})
