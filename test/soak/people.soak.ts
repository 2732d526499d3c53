/*
 * Whose calendar shows whose records, over random histories of people: `PEOPLE_RUNS` says how many; `FC_SEED` and
 * `PEOPLE_PATH` repeat what failed.
 */
import { expect, it } from 'vitest'

import { checkPeopleHistories } from '../support/adversary/people-commands.ts'
import { databases } from '../support/database/databases.ts'

const { PEOPLE_RUNS, PEOPLE_PATH } = process.env
const ways = databases.flatMap((database) => [1, 2].map((nodes) => ({ ...database, nodes })))

it.each(ways)(
  'no calendar shows a record of another person, through $nodes bridge(s) on $name',
  async ({ name, createMigrated, nodes }) => {
    const counts = { polls: 0, statuses: new Map<number, number>() }
    await checkPeopleHistories(
      {
        createDatabase: createMigrated,
        nodes,
        runs: PEOPLE_PATH === undefined ? Number(PEOPLE_RUNS ?? 25) : 1,
        steps: 60,
        path: PEOPLE_PATH,
      },
      counts,
    )
    console.log(`${name}, ${nodes} bridge(s): ${counts.polls} polls`, counts.statuses)
    expect(counts.polls).toBeGreaterThan(0)
  },
)
