/*
 * Tens of thousands of polls of eight people's calendars while their upstream lies. `ADVERSARY_POLLS` says how many;
 * `ADVERSARY_SEED` and `ADVERSARY_PATH` repeat what failed.
 */
import { expect, it } from 'vitest'

import {
  checkAdversaryHistories,
  describeCounts,
  nothingCounted,
} from '../support/adversary-commands.ts'
import { databases } from '../support/databases.ts'

const { ADVERSARY_POLLS, ADVERSARY_SEED, ADVERSARY_PATH } = process.env
const ways = databases.flatMap((database) => [1, 2].map((nodes) => ({ ...database, nodes })))
const pollsOfEach = Number(ADVERSARY_POLLS ?? 50_000) / ways.length
const seed = ADVERSARY_SEED === undefined ? undefined : Number(ADVERSARY_SEED)

it.each(ways)(
  'thousands of polls through $nodes bridge(s) on $name',
  async ({ name, createMigrated, nodes }) => {
    const counts = nothingCounted()
    const size = {
      nodes,
      runs: ADVERSARY_PATH === undefined ? 10 : 1,
      steps: 120,
      seed,
      path: ADVERSARY_PATH,
    }
    while (counts.polls < pollsOfEach) {
      await checkAdversaryHistories({ databaseUrl: createMigrated, ...size }, counts)
    }
    console.log(`${name}, ${nodes} bridge(s): ${describeCounts(counts)}`)
    expect(counts.polls).toBeGreaterThanOrEqual(pollsOfEach)
  },
)
