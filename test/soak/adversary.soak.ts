/* Tens of thousands of polls of eight people's calendars while their upstream lies. `ADVERSARY_POLLS` says how many, about. */
import { expect, it } from 'vitest'

import { checkAdversaryHistories, describeCounts } from '../support/adversary-commands.ts'
import { databases } from '../support/databases.ts'

const polls = Number(process.env['ADVERSARY_POLLS'] ?? 50_000)
/** What one history of that many steps comes to, about. */
const stepsEach = 120
const pollsEach = 250

const runs = Math.ceil(polls / databases.length / 2 / pollsEach)

it.each(databases.flatMap((database) => [1, 2].map((nodes) => ({ ...database, nodes }))))(
  'thousands of polls through $nodes bridge(s) on $name',
  async ({ name, create, nodes }) => {
    const counts = await checkAdversaryHistories({
      databaseUrl: create,
      nodes,
      runs,
      steps: stepsEach,
      enoughMs: 1_500_000,
    })
    console.log(`${name}, ${nodes} bridge(s): ${describeCounts(counts)}`)
    expect(counts.polls).toBeGreaterThan(polls / 20)
  },
)
