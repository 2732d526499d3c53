import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
import { openStore } from '../../src/store/open-store.ts'
test('x', async () => {
  const url = await createTestDatabase()
  const s = await openStore(url)
  expect(await s.feeds.findFeed('x')).toBeUndefined()
  await s.close()
})
