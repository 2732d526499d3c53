/*
 * A bridge that is polled for long stays as large as it is: the resident memory of its process before and after many polls
 * over real HTTP, warm ones and polls that make everything again. It is measured at rest and with little in reserve, so that
 * what leaks shows: in production V8's young generation takes 100 MB, and malloc keeps what was garbage for long. Shorter
 * with WARM_POLLS and COLD_POLLS. As many polls as it takes until caches are full and the program is compiled go before.
 */
import path from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { type LoadGenerator, startLoad } from '../support/bench/load.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import {
  createFeeds,
  type Production,
  requestHead,
  startProduction,
} from '../support/bridge/production.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { leave } from '../support/company/people.ts'
import { answerOf } from '../support/company/plain-answer.ts'
import { personOf, startSpeedCompany } from '../support/company/speed-company.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { ask } from '../support/web/ask.ts'

const megabyte = 1024 * 1024

const warmFeeds = 2000
const warmPolls = Number(process.env['WARM_POLLS'] ?? 1_000_000)
const warmPollsBefore = Math.min(100_000, warmPolls)
/** After as many it is at rest each time: malloc gives nothing back of garbage that has piled up. */
const warmPollsAtOnce = Math.min(50_000, warmPolls)
/** Of 80 MB it is 4: four bytes a poll. What leaks shows here first: it fills pages that are resident already. */
const warmUseMax = 1.05
/** Of 350 MB it is 7. */
const warmGrowthMax = 1.02

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
  const samples: NodeJS.MemoryUsage[] = []
  for (let polls = 0; polls < warmPollsBefore + warmPolls; polls += warmPollsAtOnce) {
    await pollWarm(measured, requests, warmPollsAtOnce)
    const sample = await memoryOf(measured)
    if (polls + warmPollsAtOnce >= warmPollsBefore) samples.push(sample)
    const [used, resident] = [inUse(sample), sample.rss].map(inMegabytes)
    console.log(
      `warm, ${polls + warmPollsAtOnce} polls: ${used} MB in use, ${resident} MB resident`,
    )
  }
  const [first, last] = [samples[0]!, samples.at(-1)!]
  const row = {
    against: `after ${warmPollsBefore} before them, both at rest`,
    bench: 'memory',
  }
  const after = `after ${warmPolls} warm polls of ${warmFeeds} feeds`
  noteRatio({
    ...row,
    measure: `JavaScript heap and buffers in use ${after}`,
    bound: { most: warmUseMax },
    measured: inUse(last) / inUse(first),
  })
  noteRatio({
    ...row,
    measure: `resident memory ${after}`,
    bound: { most: warmGrowthMax },
    measured: last.rss / first.rss,
  })
})

it(`${coldPolls} cold polls`, { timeout: 3_600_000 }, async () => {
  const measured = await start(coldFeeds, { FEED_FRESH_SECONDS: '0', LOG_LEVEL: 'silent' })
  await pollChanged(measured, coldPolls)
  const first = await memoryOf(measured)
  await pollChanged(measured, coldPolls)
  const last = await memoryOf(measured)
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
): Promise<Measured> {
  const company = await startSpeedCompany(Array(people).keys())
  const load = startLoad()
  const bridge = await startProduction({
    company,
    databaseUrl: createSqliteDatabase(),
    environment: { ...malloc, ...environment },
    flags,
    preload: path.resolve(import.meta.dirname, '../support/bench/memory-process.ts'),
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

/** A leave of each is called something else each time, so that all is read and written again. */
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

function memoryOf({ bridge }: Measured): Promise<NodeJS.MemoryUsage> {
  return ask(bridge.child, 'memory at rest')
}

function inUse({ heapUsed, external }: NodeJS.MemoryUsage): number {
  return heapUsed + external
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1)
}
