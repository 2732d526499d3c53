/*
 * A bridge that is polled for long stays as large as it is: the resident memory of its process, at rest before and after
 * many polls over real HTTP. Shorter with WARM_POLLS and COLD_POLLS. As many polls as it takes until caches are full
 * and the program is compiled go before.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { Pool } from 'undici'
import { expect, it, onTestFinished } from 'vitest'

import { calendarUrl, type FeedAnswer, readsFrom } from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { leave, twoPeople } from '../support/people.ts'

const megabyte = 1024 * 1024
const adminToken = 'an-admin-token-for-tests'
const feedCount = 20
const clients = 8

/** What V8 and malloc keep in reserve comes and goes by 60 MB and hides what leaks: they may keep little. */
const flags = ['--expose-gc', '--max-semi-space-size=2']
const malloc = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

const main = path.resolve(import.meta.dirname, '../../src/main.ts')
const memoryProcess = path.resolve(import.meta.dirname, '../support/memory-process.ts')

interface Bridge {
  readonly feeds: readonly string[]
  /** The entity tag of the last answer, by the feed's place among the feeds. */
  readonly known: Map<number, string>
  readonly pool: Pool
  readonly company: CompanyServer
  readonly child: ChildProcess
}

interface Kind {
  readonly name: string
  readonly freshSeconds: number
  readonly polls: number
  /** The polls before those that are measured. */
  readonly before: number
  /** Of resident memory, over all of the polls. */
  readonly growthMax: number
  readonly poll: (bridge: Bridge, number: number) => Promise<void>
}

const warmPolls = Number(process.env['WARM_POLLS'] ?? 200_000)
const coldPolls = Number(process.env['COLD_POLLS'] ?? 1000)

const kinds: readonly Kind[] = [
  {
    name: 'warm',
    freshSeconds: 86_400,
    polls: warmPolls,
    before: Math.min(warmPolls, 40_000),
    growthMax: 8 * megabyte,
    poll: pollUnchanged,
  },
  {
    name: 'cold',
    freshSeconds: 0,
    polls: coldPolls,
    before: coldPolls,
    growthMax: 16 * megabyte,
    poll: pollChanged,
  },
]

it.each(kinds)('$polls $name polls', { timeout: 3_600_000 }, async (kind) => {
  const { name, polls, before, poll, freshSeconds, growthMax } = kind
  const bridge = await startMeasured(freshSeconds)
  const start = await memoryOf(bridge.child)
  await pollOften(before, (number) => poll(bridge, number))
  const first = await memoryOf(bridge.child)
  await pollOften(polls, (number) => poll(bridge, before + number))
  const last = await memoryOf(bridge.child)
  const growth = last.rss - first.rss
  console.log(
    `${name}: ${inMegabytes(start.rss)} MB resident at the start, ${inMegabytes(first.rss)} after ${before} polls, ` +
      `${inMegabytes(last.rss)} after ${polls} more: ${inMegabytes(growth)} MB, ${(growth / 1024 / polls).toFixed(3)} KB a poll; ` +
      `of them ${inMegabytes(last.heapUsed - first.heapUsed)} MB in the JavaScript heap`,
  )
  expect(growth).toBeLessThan(growthMax)
})

/** The program in a folder of its own, with feeds that show everything. */
async function startMeasured(freshSeconds: number): Promise<Bridge> {
  const company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  changeRecords(company, 0)
  const folder = await mkdtemp(path.join(tmpdir(), 'bridge-bench-'))
  const child = spawn(
    process.execPath,
    [...flags, '--import', memoryProcess, main, 'serve', '--json'],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        ...malloc,
        LOG_LEVEL: 'silent',
        PORT: '0',
        ADMIN_TOKEN: adminToken,
        FEED_POLLS_PER_MINUTE: '1000000',
        FEED_FRESH_SECONDS: String(freshSeconds),
        WORKFORCE_PROJECTS: 'prj_web',
        WORKFORCE_SCHEDULES: 'sch_day',
        ...readsFrom(company.url),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const exited = once(child, 'exit')
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const { url } = JSON.parse(line) as { readonly url: string }
  const pool = new Pool(url, { connections: clients })
  onTestFinished(async () => {
    await pool.close()
    child.kill('SIGTERM')
    await exited
    await company.close()
    await rm(folder, { recursive: true })
  })
  const feeds = await Promise.all(Array.from({ length: feedCount }, () => createFeed(url)))
  return { feeds, known: new Map(), pool, company, child }
}

async function createFeed(url: string): Promise<string> {
  const response = await fetch(new URL('/api/feeds', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ userIds: ['usr_ada'] }),
  })
  expect(response.status).toBe(201)
  return new URL(calendarUrl((await response.json()) as FeedAnswer)).pathname
}

/** As many at the same time as there are clients, each on a connection that it keeps. */
async function pollOften(polls: number, poll: (number: number) => Promise<void>): Promise<void> {
  let number = 0
  const client = async (): Promise<void> => {
    while (number < polls) await poll((number += 1))
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Every second one asks whether anything has changed since the one before. */
async function pollUnchanged(bridge: Bridge, number: number): Promise<void> {
  const known = number % 2 === 0 ? bridge.known.get(number % feedCount) : undefined
  const { status, etag } = await ask(bridge, number, known)
  expect(status).toBe(known === undefined ? 200 : 304)
  bridge.known.set(number % feedCount, etag)
}

/** A leave is called something else each time, so that all is read and written anew. */
async function pollChanged(bridge: Bridge, number: number): Promise<void> {
  changeRecords(bridge.company, number)
  expect((await ask(bridge, number)).status).toBe(200)
}

function changeRecords({ records }: CompanyServer, number: number): void {
  const today = new Date().toISOString().slice(0, 10)
  records.leaves['usr_ada'] = [leave('lv_ada1', today, { leaveType: { name: `Leave ${number}` } })]
}

async function ask(
  { pool, feeds }: Bridge,
  number: number,
  etag?: string,
): Promise<{ readonly status: number; readonly etag: string }> {
  const { statusCode, headers, body } = await pool.request({
    path: feeds[number % feedCount] ?? '',
    method: 'GET',
    headers: etag === undefined ? {} : { 'If-None-Match': etag },
  })
  await body.dump()
  return { status: statusCode, etag: String(headers['etag']) }
}

async function memoryOf(child: ChildProcess): Promise<NodeJS.MemoryUsage> {
  const answered = once(child, 'message')
  child.send('at rest')
  const [usage] = (await answered) as [NodeJS.MemoryUsage]
  return usage
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1)
}
