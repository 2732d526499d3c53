/* Claims as the release before leaves them behind: contested ones are nobody's. */
import { DatabaseSync } from 'node:sqlite'

import { expect } from 'vitest'

import { it } from '../support/adversary/adversary-fixture.ts'
import { newLeave } from '../support/adversary/eight-people.ts'
import { exactly, shown, uidsOf } from '../support/adversary/shown.ts'

it.for([1, 2])(
  'leaves contested by %i unfiltered answers stay in the calendar, and new ones are added',
  async (others, { regulars, company, environment }) => {
    const file = (environment as Record<string, string>)['DATABASE_URL']!.slice('file:'.length)
    const database = new DatabaseSync(file)
    for (const other of ['usr_A', '01'].slice(0, others)) {
      database
        .prepare(
          `insert into leave_owners (connection_id, leave_id, user_id, contested, is_owner, since)
           select connection_id, leave_id, ?, 1, 0, 0 from leave_owners where user_id = 'usr_1'`,
        )
        .run(other)
    }
    database
      .prepare(
        `update leave_owners set is_owner = 0, contested = 1, since = 0
         where leave_id in (select leave_id from leave_owners where user_id = 'usr_1')`,
      )
      .run()
    database.close()
    company.records.leaves['usr_1']?.push(newLeave('lv_new', 1))
    const seen: number[] = []
    for (let minute = 0; minute < 16; minute += 2) {
      const [one] = await regulars.pollFor(2)
      seen.push(shown(one!, 'leave').length)
    }
    console.log(seen.join(' '))
    await regulars.pollFor(26 * 60, 120)
    const [one] = await regulars.pollFor(1)
    expect(uidsOf(one!)).toEqual(exactly(company.records, 'usr_1'))
  },
)
