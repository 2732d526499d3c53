import { expect, it } from 'vitest'

import { checkFeedHistories } from '../support/adversary/feed-commands.ts'
import { databases } from '../support/database/databases.ts'

const nodesOn: Readonly<Record<string, number>> = { SQLite: 1, PostgreSQL: 2 }

it.each(databases)('thousands of steps on $name', async ({ name, createMigrated }) => {
  const nodes = nodesOn[name] ?? 1
  const polls = await checkFeedHistories({
    databaseUrl: createMigrated,
    nodes,
    runs: 60,
    steps: 150,
  })
  console.log(`${name}, ${nodes} node(s): ${polls} polls held every promise`)
  expect(polls).toBeGreaterThan(500)
})
