/*
 * Tens of thousands of polls of eight people's calendars while their upstream lies. `ADVERSARY_POLLS` says how many;
 * `FC_SEED` and `ADVERSARY_PATH` repeat what failed.
 */
import { expect, inject, it } from 'vitest'

import {
  checkAdversaryHistories,
  describeCounts,
  nothingCounted,
} from '../support/adversary/adversary-commands.ts'
import { databases } from '../support/database/databases.ts'

const { ADVERSARY_POLLS, ADVERSARY_PATH } = process.env
const ways = databases.flatMap((database) => [1, 2].map((nodes) => ({ ...database, nodes })))
const pollsOfEach = Number(ADVERSARY_POLLS ?? 50_000) / ways.length

it.each(ways)(
  'thousands of polls through $nodes bridge(s) on $name',
  async ({ name, createMigrated, nodes }) => {
    const counts = nothingCounted()
    const size = {
      nodes,
      runs: ADVERSARY_PATH === undefined ? 10 : 1,
      steps: 120,
      path: ADVERSARY_PATH,
    }
    for (let seed = inject('propertySeed'); counts.polls < pollsOfEach; seed += 1) {
      await checkAdversaryHistories({ databaseUrl: createMigrated, ...size, seed }, counts)
    }
    console.log(`${name}, ${nodes} bridge(s): ${describeCounts(counts)}`)
    expect(counts.polls).toBeGreaterThanOrEqual(pollsOfEach)
  },
)
