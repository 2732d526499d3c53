/* What a client holds after any sequence of syncs is the calendar at that moment, whatever has happened. */
import { expect, inject, it } from 'vitest'

import { databases } from '../support/database/databases.ts'
import { checkSyncHistories } from '../support/sync/sync-histories.ts'

const isThorough = inject('isThorough')
const runsOn: Readonly<Record<string, number>> = { SQLite: 3, PostgreSQL: 1 }

it.each(databases)(
  'clients hold the calendar after any history of syncs, on $name',
  async ({ name, createMigrated }) => {
    const counts = await checkSyncHistories({
      databaseUrl: createMigrated,
      nodes: 2,
      runs: isThorough ? 100 : (runsOn[name] ?? 1),
      steps: 60,
    })
    expect(counts.syncs).toBeGreaterThan(0)
  },
)
