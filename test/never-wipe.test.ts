/* The promises that a feed keeps over time, whatever happens to the records, the Read API and the bridge. */
import { expect, inject, it } from 'vitest'

import { checkFeedHistories } from './support/adversary/feed-commands.ts'
import { databases } from './support/database/databases.ts'

const nodesOn: Readonly<Record<string, number>> = { SQLite: 1, PostgreSQL: 2 }

it.each(databases)(
  'revisions, validators and the last good records are kept over any history, on $name',
  async ({ name, createMigrated }) => {
    const nodes = nodesOn[name] ?? 1
    const polls = await checkFeedHistories({
      databaseUrl: createMigrated,
      nodes,
      runs: inject('isThorough') ? 10 : 2,
      steps: 80,
    })
    expect(polls).toBeGreaterThan(5)
  },
  60_000,
)
