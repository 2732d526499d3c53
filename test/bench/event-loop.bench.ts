/*
 * Calendars of many people are made while the bridge goes on answering: the longest time for which its event loop is
 * held, and for which `GET /healthz` waits meanwhile, over real HTTP on a SQLite file.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Held } from '../support/bench/loop-process.ts'
import { calendarUrl, type FeedAnswer, readsFrom } from '../support/bridge/bridge.ts'
import {
  type CompanyServer,
  type Json,
  startCompanyServer,
} from '../support/company/company-server.ts'
import { leave } from '../support/company/people.ts'

const adminToken = 'an-admin-token-for-tests'
const peopleCount = 200
const leavesEach = 15
const atOnce = 8
const heldMsMax = 100
const probeEveryMs = 5

const main = path.resolve(import.meta.dirname, '../../src/main.ts')
const loopProcess = path.resolve(import.meta.dirname, '../support/bench/loop-process.ts')

interface Bridge {
  readonly url: string
  readonly pool: Pool
  readonly probe: Pool
  readonly company: CompanyServer
  readonly child: ChildProcess
  readonly folder: string
}

/** A feed, and where its calendar is. */
interface Subscribed {
  readonly id: string
  readonly path: string
}

let bridge: Bridge
let team: Subscribed
let feeds: readonly Subscribed[]
let renamed = 0

beforeAll(async () => {
  bridge = await start()
  const window = { pastDays: 60, futureDays: 365 }
  const shifts = { show: true, scheduleIds: ['sch_day'] }
  const people = Array.from({ length: peopleCount }, (_, index) => userId(index))
  team = await createFeed(people, { window, shifts })
  feeds = await Promise.all(
    Array.from({ length: atOnce }, () => createFeed(people.slice(0, 150), { shifts })),
  )
  await held()
  const begun = performance.now()
  const answers = await Promise.all([team, ...feeds].map(({ path: at }) => ask(at)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  console.log(
    `all copies read and ${answers.length} calendars made in ${inMs(performance.now() - begun)}; ` +
      `the event loop was held for at most ${said(await held())}`,
  )
}, 1_200_000)

afterAll(async () => {
  await bridge.pool.close()
  await bridge.probe.close()
  const exited = once(bridge.child, 'exit')
  bridge.child.kill('SIGTERM')
  await exited
  await bridge.company.close()
  await rm(bridge.folder, { recursive: true })
})

describe(`no request holds the event loop for more than ${heldMsMax} ms`, () => {
  const json = ({ path: at }: Subscribed): string => at.replace(/\.ics$/, '.json')
  const first = (): Subscribed => feeds[0]!

  it.each<readonly [string, () => Promise<unknown>]>([
    ['shifts of 200 people, .ics made anew', async () => made([team], ({ path: at }) => at)],
    ['shifts of 200 people, .json made anew', async () => made([team], json)],
    ['150 people, .ics made anew', () => made([first()], ({ path: at }) => at)],
    ['150 people, .json made anew', () => made([first()], json)],
    [`.json of one feed, ${atOnce} at once`, () => made(feeds.map(first), json)],
    [`.json of ${atOnce} feeds at once`, () => made(feeds, json)],
    [`.ics of ${atOnce} feeds at once`, () => made(feeds, ({ path: at }) => at)],
    [`.json unchanged, ${atOnce} at once`, () => unchanged(json(first()))],
    ['the page of 200 people', () => ask(team.path.replace(/\/[^/]*$/, ''))],
  ])('%s', { timeout: 600_000 }, async (name, act) => {
    await ask('/healthz')
    await held()
    const { ms, longest, count } = await whileProbed(act)
    const most = await held()
    console.log(
      `${name}: ${inMs(ms)}; event loop held for at most ${said(most)}, /healthz waited for at most ${inMs(longest)} (of ${count})`,
    )
    expect.soft(most.byProcessor).toBeLessThanOrEqual(heldMsMax)
  })
})

/** All asked for at once, after a change that makes each again. */
async function made(
  of: readonly Subscribed[],
  address: (feed: Subscribed) => string,
): Promise<void> {
  renamed += 1
  for (const { id } of new Set(of)) await rename(id, `Calendar ${renamed}`)
  const answers = await Promise.all(of.map((feed) => ask(address(feed))))
  for (const { status } of answers) expect(status).toBe(200)
}

async function unchanged(address: string): Promise<void> {
  const { etag } = await ask(address)
  const answers = await Promise.all(Array.from({ length: atOnce }, () => ask(address, etag)))
  for (const { status } of answers) expect(status).toBe(304)
}

/** How long it takes, and the longest wait of those who ask meanwhile whether the bridge lives. */
async function whileProbed(
  act: () => Promise<unknown>,
): Promise<{ ms: number; longest: number; count: number }> {
  const over = new AbortController()
  const times: number[] = []
  const probing = (async () => {
    while (!over.signal.aborted) {
      times.push(await probe())
      await pause(probeEveryMs)
    }
  })()
  const begun = performance.now()
  await act()
  const ms = performance.now() - begun
  over.abort()
  await probing
  return { ms, longest: Math.max(0, ...times), count: times.length }
}

async function probe(): Promise<number> {
  const begun = performance.now()
  const { body } = await bridge.probe.request({ path: '/healthz', method: 'GET' })
  await body.dump()
  return performance.now() - begun
}

async function held(): Promise<Held> {
  // What is held last is counted when the loop comes round.
  await pause(20)
  const told = once(bridge.child, 'message')
  bridge.child.send('how long')
  const [most] = (await told) as [Held]
  return most
}

function said({ byClock, byProcessor }: Held): string {
  return `${inMs(byProcessor)} (${inMs(byClock)} by the clock)`
}

async function start(): Promise<Bridge> {
  const company = await startCompanyServer()
  fill(company)
  const folder = await mkdtemp(path.join(tmpdir(), 'bridge-bench-'))
  const child = spawn(process.execPath, ['--import', loopProcess, main, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'silent',
      PORT: '0',
      ADMIN_TOKEN: adminToken,
      FEED_POLLS_PER_MINUTE: '1000000',
      FEED_FRESH_SECONDS: '86400',
      FEED_REFRESH_BUDGET_MS: '600000',
      WORKFORCE_CONCURRENCY: '32',
      ...readsFrom(company.url),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const { url } = JSON.parse(line) as { readonly url: string }
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 }
  const pool = new Pool(url, { connections: 16, ...timeouts })
  return {
    url,
    pool,
    probe: new Pool(url, { connections: 1, ...timeouts }),
    company,
    child,
    folder,
  }
}

function userId(index: number): string {
  return `usr_${String(index).padStart(3, '0')}`
}

/** People with leaves all over the year, who work from Monday to Friday. */
function fill({ records }: CompanyServer): void {
  const hours = { start: '09:00', end: '17:30' }
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
  const pattern = Object.fromEntries(days.map((day) => [day, hours]))
  records.schedules = [{ id: 'sch_day', name: 'Day shift', type: 'FIXED', isActive: true, pattern }]
  for (let index = 0; index < peopleCount; index += 1) {
    const id = userId(index)
    records.users.push({ id, firstName: `First${index}`, lastName: `Last${index}`, isActive: true })
    records.leaves[id] = Array.from({ length: leavesEach }, (_, leaveIndex): Json => {
      const day = Date.now() + (leaveIndex * 25 + (index % 20) - 60) * 86_400_000
      return leave(`lv_${index}_${leaveIndex}`, new Date(day).toISOString().slice(0, 10))
    })
  }
}

async function createFeed(userIds: readonly string[], options: object): Promise<Subscribed> {
  const feed = await send('POST', '/api/feeds', { userIds, options, name: 'Calendar' })
  return { id: feed.id, path: new URL(calendarUrl(feed)).pathname }
}

async function rename(id: string, name: string): Promise<void> {
  await send('PATCH', `/api/feeds/${id}`, { name })
}

async function send(method: string, address: string, body: object): Promise<FeedAnswer> {
  const response = await fetch(new URL(address, bridge.url), {
    method,
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as FeedAnswer
}

async function ask(address: string, etag?: string): Promise<{ status: number; etag: string }> {
  const { statusCode, headers, body } = await bridge.pool.request({
    path: address,
    method: 'GET',
    headers: {
      'Accept-Encoding': 'gzip',
      ...(etag === undefined ? {} : { 'If-None-Match': etag }),
    },
  })
  await body.dump({ limit: 10_000_000 })
  return { status: statusCode, etag: String(headers['etag']) }
}

function inMs(ms: number): string {
  return `${ms.toFixed(0)} ms`
}
