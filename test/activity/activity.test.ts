/* Who asked for which link, and when: noted behind the answers, for support. */
import { expect } from 'vitest'

import { ActivityRecorder, type Poll } from '../../src/activity/activity-recorder.ts'
import type { LinkPolls } from '../../src/domain/activity.ts'
import { outputSchemas } from '../../src/http/api/openapi-schemas.ts'
import { calendarUrl, type FeedAnswer, readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { everythingIn } from '../support/bridge/search-database.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { it, type TestApi } from '../support/bridge/test-api.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

const google = { 'User-Agent': 'Google-Calendar-Importer' }
const apple = { 'User-Agent': 'macOS/15.1 (24B83) CalendarAgent/1001' }

async function poll(
  feed: FeedAnswer,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Response> {
  const response = await fetch(calendarUrl(feed), { method, headers })
  await response.arrayBuffer()
  return response
}

type Activity = ReturnType<typeof outputSchemas.FeedDetails.parse>['activity']

/** What is told once so many polls have been written. */
async function written(
  { bridge, clock }: TestApi,
  feed: FeedAnswer,
  polls: number,
): Promise<Activity> {
  for (;;) {
    await clock.advance(2000)
    const answer = await bridge.api('GET', `/api/feeds/${feed.id}`)
    const { activity } = outputSchemas.FeedDetails.parse(await answer.json())
    if (activity.reduce((sum, client) => sum + client.polls, 0) >= polls) return activity
  }
}

it('Each client family is known by its first and last poll, last status and number of polls', async ({
  api,
}) => {
  const { clock } = api
  const feed = await api.ada()
  const first = new Date(clock.now()).toISOString()
  const { headers } = await poll(feed, google)
  await poll(feed, apple)
  await clock.advance(3_600_000)
  const revalidated = await poll(feed, { ...google, 'If-None-Match': String(headers.get('etag')) })
  expect(revalidated.status).toBe(304)
  const last = new Date(clock.now()).toISOString()
  const common = { label: 'default', firstPolledAt: first }
  expect(await written(api, feed, 3)).toMatchObject([
    { ...common, client: 'google', lastPolledAt: last, lastStatus: 304, polls: 2 },
    { ...common, client: 'apple', lastPolledAt: first, lastStatus: 200, polls: 1 },
  ])
})

it('HEAD delivers no calendar, and an answer without one does not undo an earlier delivery', async ({
  api,
}) => {
  const feed = await api.ada()
  await poll(feed, google, 'HEAD')
  const hasNone = expect.stringContaining('has not asked since the change')
  expect(await written(api, feed, 1)).toMatchObject([{ lastStatus: 200, verdict: hasNone }])
  await poll(feed, google)
  await api.ask('DELETE', `/api/feeds/${feed.id}`)
  await poll(feed, google)
  const hasIt = expect.stringContaining('has the change')
  expect(await written(api, feed, 3)).toMatchObject([{ lastStatus: 410, polls: 3, verdict: hasIt }])
})

it('The page of a link shows its activity', async ({ api }) => {
  const feed = await api.ada()
  await poll(feed, google)
  await written(api, feed, 1)
  const page = await fetch(calendarUrl(feed).replace(/\/[^/]*$/, ''))
  expect(await page.text()).toContain('Google')
})

it('Activity stays with its link when the link is rotated', async ({ api }) => {
  const feed = await api.ada()
  await poll(feed, google)
  await written(api, feed, 1)
  await api.ask('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 7 })
  await poll(feed, google)
  expect(await written(api, feed, 2)).toMatchObject([
    { label: expect.stringMatching(/^default .*rotated/), polls: 2 },
  ])
})

it('Pending activity is written on shutdown, without any network address', async ({ api }) => {
  const databaseUrl = migratedSqliteDatabase()
  const environment = { ...readsFrom(api.company.url), DATABASE_URL: databaseUrl }
  const bridge = await startBridge({ clock: api.clock, environment })
  const feed = await bridge.createFeed({ userIds: ['usr_ada'] })
  await poll(feed, { ...google, 'X-Forwarded-For': '203.0.113.9' })
  expect(await everythingIn(databaseUrl)).not.toContain('google')
  await bridge.close()
  const kept = await everythingIn(databaseUrl)
  expect(kept).toContain('google')
  expect(kept).not.toMatch(/203\.0\.113\.9|127\.0\.0\.1/)
})

function hash(number: number): Uint8Array {
  return Buffer.from(String(number).padStart(32, '0'))
}

it('An answer does not wait for a failing database; only activity beyond the limit is lost', async () => {
  const kept: Uint8Array[] = []
  let fails = true
  const activity = {
    addActivity: (polls: readonly LinkPolls[]): Promise<void> => {
      if (fails) return Promise.reject(new Error('no database'))
      kept.push(...polls.map(({ tokenHash }) => tokenHash))
      return Promise.resolve()
    },
  }
  const clock = createFakeClock()
  const recorder = new ActivityRecorder(activity, clock, silentLog)
  const pollOf = (number: number): Poll => ({
    link: { tokenHash: hash(number) },
    userAgent: undefined,
    status: 200,
    hasChangeOf: null,
    isOfAccount: false,
  })
  for (let number = 0; number < 25_000; number += 1) recorder.note(pollOf(number))
  await clock.advance(2000)
  fails = false
  await recorder.close()
  expect(kept).toHaveLength(20_000)
  expect(kept.at(-1)).toEqual(hash(24_999))
})

it('The requests of one synchronisation of an account count once', async () => {
  const noted: LinkPolls[] = []
  const activity = {
    addActivity: (polls: readonly LinkPolls[]): Promise<void> => {
      noted.push(...polls)
      return Promise.resolve()
    },
  }
  const clock = createFakeClock()
  const recorder = new ActivityRecorder(activity, clock, silentLog)
  const request = { link: { tokenHash: hash(1) }, userAgent: 'Evolution/3.46.4', status: 207 }
  for (let sync = 0; sync < 2; sync += 1) {
    for (const hasChangeOf of [null, 1000, null])
      recorder.note({ ...request, hasChangeOf, isOfAccount: true })
    await clock.advance(2000)
  }
  await recorder.close()
  expect(noted.map(({ polls, hasChangeOf }) => [polls, hasChangeOf])).toEqual([
    [1, 1000],
    [1, 1000],
  ])
})
