import { expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { FeedFilter } from '../../src/domain/feed-store.ts'
import { filterConditions } from '../../src/store/feeds.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { databases } from '../support/database/databases.ts'
import { insertFeeds } from '../support/database/many-feeds.ts'
import { planOf } from '../support/database/query-plans.ts'

const filters: readonly Partial<FeedFilter>[] = [
  { state: 'open' },
  { state: 'closed' },
  { state: 'revoked' },
  { neverPolled: true },
  { neverPolled: true, state: 'open' },
  { companyId: 'main', neverPolled: true },
  { companyId: 'main', state: 'open' },
  { userIds: ['usr_7'] },
  { companyId: 'main', userIds: ['usr_7'], state: 'open' },
]

it.each(databases)(
  'no page of a feed list reads all feeds on $name',
  async ({ createMigrated }) => {
    const url = await createMigrated()
    await insertFeeds(url, 3000, {})
    const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
    onTestFinished(() => database.close())
    const { queries, dialect } = database
    for (const filter of filters) {
      const page = queries
        .selectFrom('feeds')
        .selectAll()
        .where((feeds) => feeds.and(filterConditions({ limit: 51, ...filter }, feeds, dialect)))
        .orderBy('createdAt')
        .orderBy('id')
        .limit(51)
      const plan = await planOf(database, page.compile())
      const whole = filter.userIds
        ? /Seq Scan on feeds\b|SCAN feeds"|feeds_by_company/
        : /Seq Scan on feeds\b|SCAN feeds"/
      expect([filter, plan]).not.toEqual([filter, expect.stringMatching(whole)])
    }
  },
)
