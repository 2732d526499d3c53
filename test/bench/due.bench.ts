/*
 * What a poll costs whose copies are due and come back as they were, against a warm one: the time of the processor that the
 * program uses as it runs in production, for one feed of about 350 events whose collections are asked for in four calls. Two
 * bridges take turns, one whose copies are always due and one whose are always fresh. Shorter with DUE_POLLS.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import {
  createFeeds,
  processorTimeOf,
  type Production,
  startProduction,
} from '../support/bridge/production.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { startSpeedCompany } from '../support/company/speed-company.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'

const duePolls = Number(process.env['DUE_POLLS'] ?? 200)
const warmPolls = 10 * duePolls
const rounds = 15
/** Until the program is compiled. */
const warmUps = 5

interface Polled extends Production {
  readonly feed: string
}

let company: CompanyServer
let due: Polled
let warm: Polled

beforeAll(async () => {
  company = await startSpeedCompany([0])
  due = await startFresh('0')
  warm = await startFresh('86400')
}, 60_000)

afterAll(async () => {
  await Promise.all([due.close(), warm.close()])
  await company.close()
})

it('a due poll', { timeout: 600_000 }, async () => {
  const ratios: number[] = []
  const costs: [number[], number[]] = [[], []]
  for (let round = -warmUps; round < rounds; round += 1) {
    const ofDue = await costOf(due, duePolls)
    const ofWarm = await costOf(warm, warmPolls)
    if (round < 0) continue
    ratios.push(ofDue / ofWarm)
    costs[0].push(ofDue)
    costs[1].push(ofWarm)
  }
  const [dueUs, warmUs] = costs.map((times) => median(times).toFixed(0))
  console.log(`A due poll costs ${dueUs} µs of the processor, a warm one ${warmUs} µs`)
  noteRatio({
    measure: 'poll whose copies are due and unchanged, processor time',
    against: 'warm poll',
    bound: { most: 10 },
    measured: median(ratios),
    bench: 'due',
  })
})

async function startFresh(seconds: string): Promise<Polled> {
  const environment = { FEED_FRESH_SECONDS: seconds }
  const settings = { company, databaseUrl: createSqliteDatabase(), environment }
  const production = await startProduction(settings)
  const [feed = ''] = await createFeeds(production, 1)
  return { ...production, feed }
}

/** In microseconds; each begins when the one before was answered. */
async function costOf({ child, url, feed }: Polled, polls: number): Promise<number> {
  const address = new URL(feed, url)
  const before = await processorTimeOf(child)
  for (let poll = 0; poll < polls; poll += 1) {
    const response = await fetch(address, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  return ((await processorTimeOf(child)) - before) / polls
}
