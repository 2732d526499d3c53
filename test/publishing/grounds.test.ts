/* What is ready goes out only while it is what would be made again: by every node's clock, whoever's ids they are. */
import { describe, expect } from 'vitest'

import { nameOfToken } from '../../src/domain/link.ts'
import { openLink } from '../../src/publishing/open-link.ts'
import type { CalendarState } from '../../src/publishing/serviceability.ts'
import { calendarUrl, startBridge } from '../support/bridge/bridge.ts'
import type { FakeClock } from '../support/bridge/fake-clock.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { leave } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'

const secondMs = 1000
const dayMs = 86_400_000

/** With a bridge beside the first whose clock is set otherwise. */
const it = base
  .extend('setTo', () => ({ aheadMs: 0 }))
  .extend('other', async ({ clock, setTo, environment }, { onCleanup }) => {
    const now = (): number => clock.now() + setTo.aheadMs
    const other = await startBridge({ clock: { ...clock, now }, environment })
    onCleanup(() => other.close())
    return other
  })
  .extend('feed', ({ bridge }) => bridge.createFeed({ userIds: ['usr_ada'] }))
  .extend('atOther', ({ feed, other }) => () => {
    return pollNow(calendarUrl(feed).replace(/^http:..[^/]+/, other.url))
  })

it('a revoked feed ends on a node with a slow clock as soon as its clock reaches that time', async ({
  setTo,
  atOther,
  bridge,
  clock,
  feed,
}) => {
  setTo.aheadMs = -secondMs
  await atOther()
  await bridge.api('DELETE', `/api/feeds/${feed.id}`)
  expect((await atOther()).status).toBe(200)
  await clock.advance(secondMs)
  expect((await atOther()).status).toBe(410)
})

it('a calendar made by a clock one day ahead is not served for a day', async ({
  setTo,
  atOther,
  company,
}) => {
  setTo.aheadMs = dayMs
  await atOther()
  setTo.aheadMs = 0
  company.records.leaves['usr_ada']?.push(leave('lv_new', '2026-03-02'))
  expect((await atOther()).titles).toContain('Leave lv_new')
})

it('data found before midnight gives the calendar of the day before, even if made later', async ({
  clock,
  feed,
  node,
}) => {
  const { links, publisher, ready } = node
  await untilSecondBefore(clock, '2026-01-31T23:00:00Z')
  const [token = ''] = /cfb_[\w-]{43}/.exec(calendarUrl(feed)) ?? []
  const assess = async (): Promise<CalendarState> => publisher.assess(await openLink(links, token))
  const isReady = async (): Promise<boolean> => !!(await ready.find(nameOfToken(token), 'ics'))
  await publisher.publish(await assess(), 'ics')
  const state = await assess()
  expect(await isReady()).toBe(true)
  await clock.advance(2 * secondMs)
  await publisher.publish(state, 'ics')
  expect(await isReady()).toBe(false)
})

async function untilSecondBefore(clock: FakeClock, time: string): Promise<void> {
  await clock.advance(Date.parse(time) - secondMs - clock.now())
}

describe.each(anyDatabase())('people who leave, on $name', ({ createMigrated }) => {
  it.extend('databaseUrl', () => createMigrated())(
    'two people are not confused with one person with an id like both',
    async ({ bridge, company, clock, node }) => {
      const ids = ['a', 'b', 'a b', 'c']
      company.records.users = ids.map((id) => ({ id, firstName: id, isActive: true }))
      company.records.leaves = Object.fromEntries(ids.map((id) => [id, [leave(id, '2026-01-12')]]))
      const team = await bridge.createFeed({ userIds: ids, audience: 'others' })
      const { departures } = node.store
      const [companyId, now] = ['main', clock.now()]
      const leaves = (userId: string): Promise<void> =>
        departures.keepDeparture({
          companyId,
          userId,
          because: 'user_inactive',
          since: now,
          readAt: now,
          leftAt: now,
          wasHere: true,
          isHeldBack: false,
          isCleared: false,
        })
      const shown = async (): Promise<readonly string[]> => {
        const { titles } = await pollNow(calendarUrl(team))
        return titles.map((title) => title.split(':')[0] ?? '')
      }
      await leaves('a b')
      expect((await shown()).toSorted()).toEqual(['a', 'b', 'c'])
      await departures.forgetDeparture(companyId, 'a b')
      await leaves('a')
      await leaves('b')
      expect((await shown()).toSorted()).toEqual(['a b', 'c'])
    },
  )
})
