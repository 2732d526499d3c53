import { expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { PeopleFilter } from '../../src/domain/people-list.ts'
import { pageOf } from '../../src/store/people-list.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { databases } from '../support/database/databases.ts'
import { insertFeeds } from '../support/database/many-feeds.ts'
import { insertPeople, sortNameOf } from '../support/database/many-people.ts'
import { planOf, plansOf } from '../support/database/query-plans.ts'

const filters: readonly Partial<PeopleFilter>[] = [
  {},
  { after: { sortName: sortNameOf(500), userId: 'usr_000500' } },
  { state: 'active' },
  { state: 'left' },
  { feed: 'none' },
  { feed: 'unpolled' },
]

it.each(databases)(
  'a page of people without a search follows the index of names on $name',
  async ({ createMigrated }) => {
    const url = await createMigrated()
    await insertFeeds(url, 3000, {})
    const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
    onTestFinished(() => database.close())
    await insertPeople(database, 10_000)
    for (const filter of filters) {
      const page = pageOf(database, { companyId: 'main', ...filter }).limit(101)
      const plan = await planOf(database, page.compile())
      expect([filter, plan]).toEqual([filter, expect.stringContaining('people_by_name')])
      expect([filter, plan]).not.toEqual([
        filter,
        expect.stringMatching(/Seq Scan on people\b|SCAN (people|feeds)"|TEMP B-TREE/),
      ])
    }
  },
)

it('the calendars of the people on a page are found by these people on SQLite', async () => {
  const plans = await plansOf(({ peopleList }) =>
    peopleList.listOwnFeeds('main', ['usr_a', 'usr_b']),
  )
  expect(plans).toEqual([
    expect.arrayContaining([expect.stringContaining('feed_users_by_user (user_id=?)')]),
  ])
})
