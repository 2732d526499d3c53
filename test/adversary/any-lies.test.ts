/* Whatever an upstream says, in whatever order, to eight people's calendars. */
import { expect, inject, it } from 'vitest'

import { checkAdversaryHistories, describeCounts } from '../support/adversary/adversary-commands.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

it('every promise holds under any history of wrong answers', async () => {
  const databaseUrl = async (): Promise<string> => migratedSqliteDatabase()
  const size = { nodes: 2, runs: inject('isThorough') ? 3 : 1, steps: 40 }
  const counts = await checkAdversaryHistories({ databaseUrl, ...size })
  console.log(describeCounts(counts))
  expect(counts.polls).toBeGreaterThan(20)
})
