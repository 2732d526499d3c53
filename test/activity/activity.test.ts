/* Who asked for which link, and when: noted behind the answers, for support. */
import { afterEach, beforeEach, expect, it } from 'vitest'

import { ActivityRecorder, type Poll } from '../../src/activity/activity-recorder.ts'
import type { ClientActivity, LinkPolls } from '../../src/domain/activity.ts'
import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { twoPeople } from '../support/people.ts'
import { silentLog } from '../support/silent-log.ts'

const google = { 'User-Agent': 'Google-Calendar-Importer' }
const apple = { 'User-Agent': 'macOS/15.1 (24B83) CalendarAgent/1001' }

let company: CompanyServer
let clock: FakeClock
let bridge: TestBridge
let feed: FeedAnswer

beforeEach(async () => {
  clock = createFakeClock()
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  bridge = await startBridge({ clock, environment: readsFrom(company.url) })
  feed = await bridge.createFeed({ userIds: ['usr_ada'] })
})

afterEach(async () => {
  await bridge.close()
  await company.close()
})

async function poll(headers: Record<string, string>, method = 'GET'): Promise<Response> {
  const response = await fetch(calendarUrl(feed), { method, headers })
  await response.arrayBuffer()
  return response
}

/** What is kept once everything that waits has been written. */
async function written(expected: number): Promise<readonly ClientActivity[]> {
  for (;;) {
    await clock.advance(2000)
    const activity = await (await bridge.node()).store.activity.listActivity([feed.id])
    const polls = activity.reduce((sum, { polls: count }) => sum + count, 0)
    if (polls >= expected) return activity
  }
}

it('each family of clients is known by its first and last poll, its last status and their number', async () => {
  const first = clock.now()
  const { headers } = await poll(google)
  await poll(apple)
  await clock.advance(3_600_000)
  const revalidated = await poll({ ...google, 'If-None-Match': String(headers.get('etag')) })
  expect(revalidated.status).toBe(304)
  const last = clock.now()
  const hasChangeOf = Date.parse(String(headers.get('last-modified')))
  const common = { feedId: feed.id, label: 'default', firstPolledAt: first, hasChangeOf }
  expect(await written(3)).toEqual([
    { ...common, client: 'apple', lastPolledAt: first, lastStatus: 200, polls: 1 },
    { ...common, client: 'google', lastPolledAt: last, lastStatus: 304, polls: 2 },
  ])
})

it('HEAD gives a client no calendar, and an answer that gives none takes none away', async () => {
  await poll(google, 'HEAD')
  expect(await written(1)).toMatchObject([{ lastStatus: 200, hasChangeOf: null }])
  await poll(google)
  await bridge.api('DELETE', `/api/feeds/${feed.id}`)
  await poll(google)
  const [activity] = await written(3)
  expect(activity).toMatchObject({ lastStatus: 410, polls: 3 })
  expect(activity?.hasChangeOf).not.toBeNull()
})

it('the API and the page tell of it', async () => {
  const polledAt = new Date(clock.now()).toISOString()
  await poll(google)
  await written(1)
  const found = (await (await bridge.api('GET', `/api/feeds/${feed.id}`)).json()) as FeedAnswer
  expect(found.links).toMatchObject([{ lastPolledAt: polledAt, client: 'google' }])
  const page = await fetch(calendarUrl(feed).replace(/\/[^/]*$/, ''))
  expect(await page.text()).toContain('Google')
})

it('activity stays with its link when the link is rotated', async () => {
  await poll(google)
  await written(1)
  await bridge.api('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
  await poll(google)
  const [activity, ...others] = await written(2)
  expect(activity?.label).toMatch(/^default .*rotated/)
  expect([activity?.polls, others]).toEqual([2, []])
})

it('what waits is written when the bridge ends', async () => {
  await poll(google)
  const { store } = await bridge.node()
  expect(await store.activity.listActivity([feed.id])).toEqual([])
  await bridge.app.close()
  expect(await store.activity.listActivity([feed.id])).toMatchObject([{ polls: 1 }])
})

it('no address stands in the database', async () => {
  await poll({ ...google, 'X-Forwarded-For': '203.0.113.9' })
  expect(JSON.stringify(await written(1))).not.toMatch(/203\.0\.113\.9|127\.0\.0\.1/)
})

function hash(number: number): Uint8Array {
  return Buffer.from(String(number).padStart(32, '0'))
}

it('an answer does not wait for a database that does not write, and nothing is lost but what is too much', async () => {
  const kept: Uint8Array[] = []
  let fails = true
  const activity = {
    addActivity: (polls: readonly LinkPolls[]): Promise<void> => {
      if (fails) return Promise.reject(new Error('no database'))
      kept.push(...polls.map(({ tokenHash }) => tokenHash))
      return Promise.resolve()
    },
  }
  const recorder = new ActivityRecorder({ activity, clock, log: silentLog })
  const pollOf = (number: number): Poll => ({
    link: { tokenHash: hash(number) },
    userAgent: undefined,
    status: 200,
    hasChangeOf: null,
  })
  for (let number = 0; number < 25_000; number += 1) recorder.note(pollOf(number))
  await clock.advance(2000)
  fails = false
  await recorder.close()
  expect(kept).toHaveLength(20_000)
  expect(kept.at(-1)).toEqual(hash(24_999))
})
