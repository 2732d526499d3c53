import { describe, expect, it } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { databases } from '../support/database/databases.ts'
import { testDatabase } from './database-contract.ts'

describe.each(databases)('database on $name', ({ create }) => {
  testDatabase(create)
})

it.each(['mysql://localhost/x', 'bridge.sqlite', '', 'postgres:x', 'sqlite:x'])(
  'the address %j is refused',
  async (url) => {
    await expect(openDatabase(url)).rejects.toThrow('begins with file: or postgres://')
  },
)
