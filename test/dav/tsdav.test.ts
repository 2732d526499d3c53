/* tsdav, a CalDAV library, reads an account. */
import { createDAVClient } from 'tsdav'
import { expect } from 'vitest'

import { it as base } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'
import { accountOf } from '../support/dav/dav-client.ts'
import { heldEvents } from '../support/dav/real-client.ts'

const hidden = { show: false }
const leavesAlone = { shifts: hidden, timesheets: hidden, tasks: hidden }

const it = base.extend('account', async ({ bridge }) => {
  const feed = await bridge.createFeed({ userIds: ['usr_ada'], options: leavesAlone })
  return accountOf(feed, bridge.url)
})

it('finds the calendar, fetches its events, and then only what has changed', async ({
  account,
  bridge,
  company,
  clock,
}) => {
  const client = await createDAVClient({
    serverUrl: bridge.url,
    credentials: { username: 'ada@example.com', password: account.secret },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  })
  const [calendar] = await client.fetchCalendars()
  expect(new URL(calendar!.url).pathname).toBe(account.calendar)
  expect(calendar).toMatchObject({ components: ['VEVENT'] })
  const objects = await client.fetchCalendarObjects({ calendar: calendar! })
  const events = heldEvents(objects.map(({ data }) => String(data)))
  expect(events.map(({ summary }) => summary)).toContain('Leave lv_ada1')

  // One of Ada's two leaves is on another day, and the other is gone.
  company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-14')]
  await clock.advance(61_000)
  const changes = await client.syncCollection({
    url: calendar!.url,
    syncLevel: 1,
    syncToken: calendar!.syncToken!,
    props: { 'd:getetag': {} },
  })
  expect(changes.map(({ href, status }) => [href?.startsWith(account.calendar), status])).toEqual([
    [true, 207],
    [true, 404],
  ])
})
