/* Options are stored sparse and read whole: a feed stored before there was an option behaves as its default says, and takes its schedules. */
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { type OwnOptions, readOptions } from '../../src/domain/feed-options.ts'
import { calendarUrl, type FeedAnswer } from '../support/bridge/bridge.ts'
import { it as base } from '../support/bridge/fixtures.ts'
import { anyDatabase } from '../support/database/databases.ts'
import { type ApiAnswer, jsonOf } from '../support/web/api-answer.ts'

const adas = ['Day shift', 'Leave lv_ada1', 'Leave lv_ada2', 'Task tsk_ada', 'Task tsk_both']
const timesheetDue = 'Timesheet due: 1–15 Jan'

const it = base
  /** Writes a feed's options past the running bridge. */
  .extend('store', ({ databaseUrl }) => async (feed: FeedAnswer, options: object) => {
    const database = await openDatabase(databaseUrl)
    const row = sql`update feeds set own_options = ${JSON.stringify(options)} where id = ${feed.id}`
    await row.execute(database.queries)
    await database.close()
  })
  .extend('ask', ({ bridge }) => {
    return async (method: string, feed: FeedAnswer, body?: unknown): Promise<ApiAnswer> => {
      const response = await bridge.api(method, `/api/feeds/${feed.id}`, body)
      expect(response.status).toBe(200)
      return jsonOf(response)
    }
  })

const stored: readonly { name: string; own: OwnOptions; titles: readonly string[] }[] = [
  { name: 'no option', own: {}, titles: [...adas, 'Timesheet 1–15 Jan (draft)'] },
  {
    name: 'one of a group',
    own: { timesheets: { as: 'deadline' } },
    titles: [...adas, timesheetDue],
  },
  {
    name: 'all of a group but one',
    own: { leaves: { show: true, statuses: ['APPROVED'] } },
    titles: [...adas, 'Timesheet 1–15 Jan (draft)'],
  },
  {
    name: 'groups without anything in them',
    own: { leaves: {}, window: {}, timesheets: { show: false } },
    titles: adas,
  },
]

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it.for(stored)(
    'a feed with stored $name is served with the defaults, and a change stores only what is set',
    async ({ own, titles }, { bridge, node, store, ask, poll }) => {
      const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
      await poll(calendarUrl(feed))
      await store(feed, own)
      expect((await poll(calendarUrl(feed))).titles).toEqual(titles)
      const schedules = { shifts: { scheduleIds: ['sch_day'] } }
      // No public holidays are set.
      const answered = {
        shifts: { scheduleIds: ['sch_day'], onHolidays: 'show', showAs: 'busy' },
      } as const
      expect((await ask('GET', feed)).options).toEqual(readOptions('own', own, answered))

      const options = { tasks: { show: false } }
      const changed = readOptions('own', own, schedules, options)
      expect((await ask('PATCH', feed, { options })).options).toEqual(
        readOptions('own', own, answered, options),
      )
      const { ownOptions = {} } = (await node.store.feeds.findFeed(feed.id)) ?? {}
      expect(readOptions('own', ownOptions)).toEqual(changed)
      expect(ownOptions).not.toHaveProperty('invoices')
      expect((await poll(calendarUrl(feed))).titles).toEqual(
        titles.filter((title) => !title.startsWith('Task')),
      )
    },
  )
})
