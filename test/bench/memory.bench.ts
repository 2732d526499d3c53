/*
 * A bridge that is polled for long stays as large as it is: the resident memory of its process before and after many polls
 * over real HTTP. Warm ones are asked of it as it runs in production, and it is left alone for a while before each look; of
 * polls that make everything anew it is measured at rest, with nothing in reserve, so that what leaks shows. Shorter with
 * WARM_POLLS and COLD_POLLS. As many polls as it takes until caches are full and the program is compiled go before.
 */
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { expect, it, onTestFinished } from 'vitest'

import { ask } from '../support/ask.ts'
import type { CompanyServer } from '../support/company-server.ts'
import { createSqliteDatabase } from '../support/databases.ts'
import { type LoadGenerator, startLoad } from '../support/load.ts'
import { noteRatio } from '../support/measured-ratios.ts'
import { leave } from '../support/people.ts'
import { answerOf } from '../support/plain-answer.ts'
import {
  createFeeds,
  type Production,
  requestHead,
  startProduction,
} from '../support/production.ts'
import { personOf, startSpeedCompany } from '../support/speed-company.ts'

const megabyte = 1024 * 1024

const warmFeeds = 2000
const warmPolls = Number(process.env['WARM_POLLS'] ?? 200_000)
const warmPollsBefore = Math.min(40_000, warmPolls)
const restMs = 20_000
const warmGrowthMax = 1.05

const coldFeeds = 20
const coldPolls = Number(process.env['COLD_POLLS'] ?? 1000)
const coldGrowthMax = 16 * megabyte

/** What V8 and malloc keep in reserve comes and goes by 60 MB and hides what leaks: they may keep little. */
const flags = ['--expose-gc', '--max-semi-space-size=2']
const malloc = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

interface Measured {
  readonly bridge: Production
  readonly company: CompanyServer
  readonly load: LoadGenerator
  readonly feeds: readonly string[]
}

it(`${warmPolls} warm polls of ${warmFeeds} feeds`, { timeout: 3_600_000 }, async () => {
  const measured = await start(warmFeeds, {})
  const requests = await warmRequests(measured)
  await pollWarm(measured, requests, warmPollsBefore)
  await pause(restMs)
  const first = await memoryOf(measured, 'now')
  await pollWarm(measured, requests, warmPolls)
  const busy = await memoryOf(measured, 'now')
  await pause(restMs)
  const last = await memoryOf(measured, 'now')
  const sizes = [first, busy, last].map(({ rss }) => inMegabytes(rss)).join(', ')
  console.log(`warm: ${sizes} MB resident before, right after the last poll, and at rest`)
  noteRatio({
    measure: `resident memory after ${warmPolls} warm polls of ${warmFeeds} feeds`,
    against: `after ${warmPollsBefore} before them; ${restMs / 1000} s after the last of each`,
    bound: { most: warmGrowthMax },
    measured: last.rss / first.rss,
    bench: 'memory',
  })
})

it(`${coldPolls} cold polls`, { timeout: 3_600_000 }, async () => {
  const measured = await start(
    coldFeeds,
    { ...malloc, FEED_FRESH_SECONDS: '0', LOG_LEVEL: 'silent' },
    flags,
  )
  await pollChanged(measured, coldPolls)
  const first = await memoryOf(measured, 'at rest')
  await pollChanged(measured, coldPolls)
  const last = await memoryOf(measured, 'at rest')
  const growth = last.rss - first.rss
  console.log(
    `cold: ${inMegabytes(first.rss)} MB resident after ${coldPolls} polls, ${inMegabytes(last.rss)} after as many more: ` +
      `${inMegabytes(growth)} MB; of them ${inMegabytes(last.heapUsed - first.heapUsed)} MB in the JavaScript heap`,
  )
  expect(growth).toBeLessThan(coldGrowthMax)
})

async function start(
  people: number,
  environment: Readonly<Record<string, string>>,
  nodeFlags: readonly string[] = [],
): Promise<Measured> {
  const company = await startSpeedCompany(Array(people).keys())
  const load = startLoad()
  const bridge = await startProduction({
    company,
    databaseUrl: createSqliteDatabase(),
    environment,
    flags: nodeFlags,
    preload: path.resolve(import.meta.dirname, '../support/memory-process.ts'),
  })
  onTestFinished(async () => {
    await load.end()
    await bridge.close()
    await company.close()
  })
  return { bridge, company, load, feeds: await createFeeds(bridge, people) }
}

/** Of those who have the calendar, and of those who have none. */
interface Requests {
  readonly whole: readonly string[]
  readonly conditional: readonly string[]
}

async function warmRequests({ bridge: { port }, load, feeds }: Measured): Promise<Requests> {
  const whole = feeds.map((feed) => requestHead(feed))
  await load.put({ port, requests: whole, count: whole.length, status: 200, connections: 8 })
  const tags = await Promise.all(feeds.map(async (feed) => (await answerOf(port, feed)).etag))
  const conditional = feeds.map((feed, index) =>
    requestHead(feed, { 'If-None-Match': tags[index] ?? '' }),
  )
  return { whole, conditional }
}

/** Half of them of clients that have the calendar already. */
async function pollWarm(
  { bridge: { port }, load }: Measured,
  { whole, conditional }: Requests,
  polls: number,
): Promise<void> {
  const half = { port, count: polls / 2, connections: 8 }
  await load.put({ ...half, requests: whole, status: 200 })
  await load.put({ ...half, requests: conditional, status: 304 })
}

/** A leave of each is called something else each time, so that all is read and written anew. */
async function pollChanged(
  { bridge: { port }, company: { records }, load, feeds }: Measured,
  polls: number,
): Promise<void> {
  const requests = feeds.map((feed) => requestHead(feed))
  const today = new Date().toISOString().slice(0, 10)
  for (let polled = 0; polled < polls; polled += feeds.length) {
    for (const number of feeds.keys()) {
      const leaveType = { name: `Leave ${Math.random()}` }
      const [changed, ...others] = records.leaves[personOf(number)] ?? []
      records.leaves[personOf(number)] = [leave(changed!.id, today, { leaveType }), ...others]
    }
    await load.put({ port, requests, count: requests.length, status: 200, connections: 8 })
  }
}

function memoryOf({ bridge }: Measured, when: 'now' | 'at rest'): Promise<NodeJS.MemoryUsage> {
  return ask(bridge.child, when)
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1)
}
