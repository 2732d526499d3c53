/* A feed that names no schedules takes its company's once; where they could not be read when it was made, it waits for them. */
import { describe, expect } from 'vitest'

import { exportCalendar } from '../../src/publishing/written-once.ts'
import { calendarUrl, type FeedAnswer, linkOf } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { anyDatabase } from '../support/database/databases.ts'
import { type ApiAnswer, jsonOf } from '../support/web/api-answer.ts'

const night = {
  id: 'sch_night',
  name: 'Night shift',
  type: 'FIXED',
  isActive: true,
  pattern: { tuesday: { start: '22:00', end: '06:00' } },
}
const onlyShifts = {
  leaves: { show: false },
  timesheets: { show: false },
  tasks: { show: false },
  shifts: { duringLeave: 'show' },
} as const

const it = base
  .extend('schedules', ({ company }) => ({
    fail: () => company.faults.set('/schedules', 403),
    answer: () => company.faults.clear(),
  }))
  /** A feed made while schedules cannot be read. */
  .extend('unsaid', ({ bridge, schedules }) => async (input: object = {}): Promise<FeedAnswer> => {
    schedules.fail()
    return bridge.createFeed({ userIds: ['usr_ada'], options: onlyShifts, ...input })
  })
  .extend('show', ({ bridge }) => async ({ id }: FeedAnswer): Promise<ApiAnswer> => {
    return jsonOf(await bridge.api('GET', `/api/feeds/${id}`))
  })

describe.each(anyDatabase())('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('is not served until they are first read, and then has its shifts', async ({
    unsaid,
    schedules,
    show,
    poll,
  }) => {
    const feed = await unsaid()
    expect(feed).toMatchObject({
      options: { shifts: { scheduleIds: null } },
      warnings: [expect.stringContaining('schedules could not be read')],
    })
    const { status, headers, text } = await poll(calendarUrl(feed))
    expect([status, headers.get('Content-Type')]).toEqual([503, 'text/plain; charset=utf-8'])
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(text).toContain('schedules')
    expect((await show(feed)).options.shifts.scheduleIds).toBeNull()
    schedules.answer()
    expect((await poll(calendarUrl(feed))).titles).toContain('Day shift')
    expect((await show(feed)).options.shifts.scheduleIds).toEqual(['sch_day'])
  })

  it('never chooses again when the company changes, and keeps its bytes', async ({
    unsaid,
    schedules,
    company,
    show,
    poll,
  }) => {
    const feed = await unsaid()
    schedules.answer()
    const first = await poll(calendarUrl(feed))
    expect(first.status).toBe(200)
    company.records.schedules.push(night)
    const again = await poll(calendarUrl(feed))
    expect(again).toMatchObject({ status: 200, text: first.text })
    company.records.schedules = [night]
    await poll(calendarUrl(feed))
    expect((await show(feed)).options.shifts.scheduleIds).toEqual(['sch_day'])
  })

  it('is filled in once, even if many nodes ask for it at once', async ({
    unsaid,
    schedules,
    clock,
    node,
  }) => {
    const feed = await unsaid()
    schedules.answer()
    await clock.advance(61_000)
    const before = await node.store.feeds.findFeed(feed.id)
    const source = node.sources.get('main')!
    const [link] = await node.store.links.listLinks([feed.id])
    const onNode = { feed: before!, link: link!, source }
    const [state, ...answers] = await Promise.all([
      node.publisher.assess(onNode),
      ...[1, 2, 3].map(() => pollNow(calendarUrl(feed))),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(state.feed.options.shifts.scheduleIds).toEqual(['sch_day'])
    const { revision = 0 } = (await node.store.feeds.findFeed(feed.id)) ?? {}
    expect(revision).toBe(before!.revision + 1)
  })
})

it('an older copy fills in nothing; only a current answer of the Read API does', async ({
  unsaid,
  schedules,
  feedOf,
  poll,
}) => {
  expect((await poll(await feedOf('usr_bob'))).status).toBe(200)
  const feed = await unsaid()
  expect((await poll(calendarUrl(feed))).status).toBe(503)
  schedules.answer()
  expect((await poll(calendarUrl(feed))).status).toBe(200)
})

it('a feed gets no schedule if the company uses several, and is served without shifts', async ({
  unsaid,
  schedules,
  company,
  show,
  poll,
}) => {
  const feed = await unsaid({ options: { ...onlyShifts, leaves: {}, shifts: {} } })
  company.records.schedules.push(night)
  schedules.answer()
  const { status, titles } = await poll(calendarUrl(feed))
  expect([status, titles]).toEqual([200, ['Leave lv_ada1', 'Leave lv_ada2']])
  company.records.schedules.pop()
  await poll(calendarUrl(feed))
  expect((await show(feed)).options.shifts.scheduleIds).toEqual([])
})

it('a feed with hidden shifts or a rotation waits for nothing', async ({
  unsaid,
  schedules,
  feedOf,
  show,
  poll,
}) => {
  await poll(await feedOf('usr_bob'))
  const hidden = await unsaid({ options: { shifts: { show: false } } })
  expect(hidden).not.toHaveProperty('warnings')
  expect((await poll(calendarUrl(hidden))).status).toBe(200)
  const rotation = { weeks: [['sch_day'], []], from: '2026-01-05' }
  const shifts = { rotation, duringLeave: 'show' }
  const rotating = await unsaid({ options: { ...onlyShifts, shifts } })
  expect(rotating['warnings']).toEqual([
    expect.stringContaining('could not be checked'),
    expect.stringContaining('has an open feed of this name already'),
  ])
  expect((await poll(calendarUrl(rotating))).titles).toContain('Day shift')
  expect((await show(rotating)).options.shifts.scheduleIds).toBeNull()
  schedules.answer()
  await poll(calendarUrl(rotating))
  expect((await show(rotating)).options.shifts.scheduleIds).toEqual(['sch_day'])
})

it('what the holder of its link has hidden stays hidden and is not set in the feed', async ({
  unsaid,
  schedules,
  node,
  show,
  poll,
}) => {
  const feed = await unsaid({ options: {} })
  const { link } = (await node.store.links.findByTokenHash(linkOf(feed).tokenHash))!
  await node.store.links.changeChoices(link, () => ({ hide: ['tasks'] }))
  schedules.answer()
  const { titles } = await poll(calendarUrl(feed))
  expect(titles).toContain('Day shift')
  expect(titles.filter((title) => title.startsWith('Task'))).toEqual([])
  const ownOptions = { shifts: { scheduleIds: ['sch_day'] } }
  expect(await show(feed)).toMatchObject({ ownOptions, options: { tasks: { show: true } } })
})

it('a calendar that is exported once also waits for them and stores nothing', async ({
  bridge,
  clock,
  schedules,
  node,
}) => {
  schedules.fail()
  const drafts = node.administration.creation.drafts()
  const { feed } = await drafts.draft({ userIds: ['usr_ada'], options: onlyShifts })
  await expect(node.exporting((deps) => exportCalendar(deps, feed))).rejects.toMatchObject({
    code: 'unavailable',
  })
  schedules.answer()
  await clock.advance(10_000)
  const { text } = await node.exporting((deps) => exportCalendar(deps, feed))
  expect(text).toContain('Day shift')
  const { data } = (await (await bridge.api('GET', '/api/feeds')).json()) as { data: unknown[] }
  expect(data).toEqual([])
})

const itSet = base.extend('settings', { WORKFORCE_SCHEDULES: 'sch_day' })

itSet('schedules set for the company are known without a reading', async ({ company, bridge }) => {
  company.faults.set('/schedules', 403)
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  expect(feed).toMatchObject({ options: { shifts: { scheduleIds: ['sch_day'] } } })
  expect(feed).not.toHaveProperty('warnings')
})
