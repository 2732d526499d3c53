/* Property test: after any sequence of syncs, a client holds the calendar of that moment. */
import { expect, inject, it } from 'vitest'

import { databases, migratedSqliteDatabase } from '../support/database/databases.ts'
import { checkSyncHistories } from '../support/sync/sync-histories.ts'
import { SyncModel } from '../support/sync/sync-model.ts'

const isThorough = inject('isThorough')
const runsOn: Readonly<Record<string, number>> = { SQLite: 3, PostgreSQL: 1 }

it.each(databases)(
  'clients hold the calendar after any history of syncs, on $name',
  async ({ name, createMigrated }) => {
    const counts = await checkSyncHistories({
      databaseUrl: createMigrated,
      nodes: 2,
      runs: isThorough ? 100 : (runsOn[name] ?? 1),
      steps: isThorough ? 120 : 60,
    })
    expect(counts.syncs).toBeGreaterThan(0)
  },
)

/** With each of two events, since changes are ordered by name. */
it.for([0, 1])(
  'between two nodes, no client misses an event that goes and returns: %i',
  async (day) => {
    const world = { databaseUrl: migratedSqliteDatabase(), nodes: 2, freshSeconds: 0 } as const
    const model = await SyncModel.start(world, 2)
    const settings = { reading: 'inline', limit: 1 } as const
    try {
      model.world.put('tasks', 0)
      model.world.put('tasks', 1)
      await model.readOnce({ ...settings, client: 0, node: 1 })
      model.world.remove('tasks', day)
      await model.readOnce({ ...settings, client: 0, node: 0 })
      model.world.put('tasks', day)
      await model.readOnce({ ...settings, client: 1, node: 0 })
      await model.sync({ ...settings, client: 1, node: 1 })
    } finally {
      await model.close()
    }
  },
)
