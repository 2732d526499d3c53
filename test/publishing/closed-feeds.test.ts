/* A feed that the bridge has closed itself: it can be ended like any other, and opened again it goes on as if it had never been closed. */
import { describe, expect } from 'vitest'

import { calendarUrl, type FeedAnswer, linkOf } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { leave, task } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const ended = ['This calendar has ended']

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    users: ['ada', 'bob', 'cleo', 'dan', 'eve'].map((name) => ({
      id: `usr_${name}`,
      firstName: name,
      isActive: true,
    })),
  }))
  .extend(
    'adas',
    ({ bridge }) =>
      () =>
        bridge.createFeed({ userIds: ['usr_ada'] }),
  )
  /** What the Read API says of Ada from now on, and that it is read. */
  .extend('say', ({ company, clock, node }) => async (isActive: boolean): Promise<void> => {
    const { users } = company.records
    company.records.users = users.map((user) =>
      user.id === 'usr_ada' ? { ...user, isActive } : user,
    )
    await clock.advance(dayMs)
    await node.departures.readAgain(new AbortController().signal)
  })
  /** Ada leaves: the next poll reads it, and the calendar ends. */
  .extend('goAway', ({ bridge, say }) => async (url: string): Promise<void> => {
    await say(false)
    await pollNow(url)
    await bridge.settled()
    expect((await pollNow(url)).status).toBe(410)
  })
  .extend('end', ({ bridge }) => async ({ id }: FeedAnswer, how: string): Promise<void> => {
    expect((await bridge.api('DELETE', `/api/feeds/${id}${how}`)).status).toBe(204)
  })
  .extend('closed', ({ adas, goAway }) => async (): Promise<FeedAnswer> => {
    const feed = await adas()
    expect((await pollNow(calendarUrl(feed))).status).toBe(200)
    await goAway(calendarUrl(feed))
    return feed
  })

it.for(['?purge', '/links/default?purge'])(
  'a closed feed ended with %s reports its end for 30 days from then',
  async (how, { clock, closed, end }) => {
    const feed = await closed()
    const url = calendarUrl(feed)
    await clock.advance(40 * dayMs)
    await end(feed, how)
    const { text, titles } = await pollNow(url)
    expect(titles).toEqual(ended)
    await clock.advance(30 * dayMs - 1)
    expect(await pollNow(url)).toMatchObject({ status: 200, text })
    await clock.advance(1)
    expect((await pollNow(url)).status).toBe(410)
  },
)

it('a closed feed ended without purge stays 410, and so does a link of it ended before', async ({
  clock,
  bridge,
  closed,
  end,
}) => {
  const feed = await closed()
  const phone = await bridge.api('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
  const { url } = (await phone.json()) as { url: string }
  await end(feed, '/links/phone')
  await clock.advance(1000)
  await end(feed, '')
  expect((await pollNow(calendarUrl(feed))).status).toBe(410)
  await end(feed, '?purge')
  expect((await pollNow(calendarUrl(feed))).titles).toEqual(ended)
  expect((await pollNow(url)).status).toBe(410)
})

it('a feed ended without purge reports its end for 30 days once it is purged, and only once', async ({
  clock,
  bridge,
  adas,
  end,
}) => {
  const feed = await adas()
  const url = calendarUrl(feed)
  await end(feed, '')
  const revokedAt = new Date(clock.now()).toISOString()
  await clock.advance(50 * dayMs)
  await end(feed, '')
  expect((await pollNow(url)).status).toBe(410)
  await end(feed, '?purge')
  expect((await pollNow(url)).titles).toEqual(ended)
  await clock.advance(10 * dayMs)
  await end(feed, '?purge')
  await end(feed, '')
  await clock.advance(20 * dayMs - 1)
  expect((await pollNow(url)).titles).toEqual(ended)
  await clock.advance(1)
  expect((await pollNow(url)).status).toBe(410)
  const shown = await bridge.api('GET', `/api/feeds/${feed.id}`)
  expect(await shown.json()).toMatchObject({ revokedAt })
})

describe('with the usual freshness', () => {
  it.override('settings', { FEED_FRESH_SECONDS: '300' })

  it('the poll that ends a calendar is 410, even if it reads the person only for a name in a task', async ({
    company,
    clock,
    bridge,
    adas,
  }) => {
    const { records } = company
    // A person without an address is known too little to be doubted.
    for (const user of records.users) Object.assign(user, { email: `${user.id}@example.com` })
    const url = calendarUrl(await adas())
    const nameInTask = (firstName: string): void => {
      records.tasks['prj_web'] = [task('tsk_1', '2026-01-20', [{ id: 'usr_ada', firstName }])]
    }
    const pollAfter = async (ms: number): Promise<number> => {
      await clock.advance(ms)
      const { status } = await pollNow(url)
      await bridge.settled()
      return status
    }
    nameInTask('ada')
    expect(await pollAfter(0)).toBe(200)
    records.users = records.users.filter(({ id }) => id !== 'usr_ada')
    expect(await pollAfter(dayMs)).toBe(200)
    // Get user is paused for longer after each refusal.
    expect(await pollAfter(2 * hourMs)).toBe(200)
    expect(await pollAfter(20 * hourMs)).toBe(200)
    nameInTask('Adele')
    expect(await pollAfter(2 * hourMs)).toBe(410)
  })
})

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('a feed reopened after months continues the revisions of its events', async ({
    company,
    clock,
    node,
    adas,
    say,
    goAway,
    poll,
  }) => {
    const url = calendarUrl(await adas())
    const sequence = async (name: string): Promise<number | undefined> => {
      const changed = leave('lv_ada1', '2026-01-12', { leaveType: { name } })
      company.records.leaves['usr_ada'] = [changed]
      const { status, text } = await poll(url)
      expect(status).toBe(200)
      return [...readCalendar(text).values()].find(({ summary }) => summary === name)?.sequence
    }
    expect([await sequence('One'), await sequence('Two'), await sequence('Three')]).toEqual([
      0, 1, 2,
    ])
    await goAway(url)
    for (let month = 0; month < 2; month += 1) {
      await clock.advance(30 * dayMs)
      await node.purge()
    }
    await say(true)
    expect(await sequence('Four')).toBe(3)
  })

  it('the ledger of a feed that stays closed is deleted after 400 days', async ({
    clock,
    node,
    closed,
  }) => {
    const link = linkOf(await closed())
    const version = async (): Promise<number> => (await node.store.ledgers.findLedger(link)).version
    await clock.advance(400 * dayMs)
    await node.purge()
    expect(await version()).toBeGreaterThan(0)
    await clock.advance(dayMs)
    await node.purge()
    expect(await version()).toBe(0)
  })

  it('a purged feed still reports its end after its ledger is deleted', async ({
    clock,
    node,
    adas,
    end,
    poll,
  }) => {
    const feed = await adas()
    await poll(calendarUrl(feed))
    await end(feed, '')
    await clock.advance(31 * dayMs)
    await node.purge()
    expect((await node.store.ledgers.findLedger(linkOf(feed))).version).toBe(0)
    await end(feed, '?purge')
    expect((await pollNow(calendarUrl(feed))).titles).toEqual(ended)
  })
})
