/*
 * How long a large answer of the Read API holds up everything else, and how large the process becomes, with a heap of 512 MB:
 * the longest hold of the event loop, in time of the processor, while feeds are polled once. The program is that of MAIN where it is set, so that two
 * states can be compared.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'

import { expect, it, onTestFinished } from 'vitest'

import type { Held } from '../support/bench/loop-process.ts'
import { calendarUrl, type FeedAnswer, readsFrom } from '../support/bridge/bridge.ts'

const adminToken = 'an-admin-token-for-tests'
const main = process.env['MAIN'] ?? path.resolve(import.meta.dirname, '../../src/main.ts')
const loopProcess = path.resolve(import.meta.dirname, '../support/bench/loop-process.ts')
const holdMaxMs = Number(process.env['HOLD_MAX_MS'] ?? 100)
const many = 100_000
const projects = Array.from({ length: 8 }, (_, index) => `prj_${index}`)

type Kind = 'leaves' | 'timesheets' | 'tasks'

interface Case {
  readonly kind: Kind
  /** How many lists of it are asked for at once. */
  readonly lists?: number
  readonly body: () => string
}

const cases: Readonly<Record<string, Case>> = {
  '16 MB of empty records': {
    kind: 'tasks',
    body: () => `{"data":[${'{},'.repeat(5_592_000)}{}]}`,
  },
  'eight of these at once': {
    kind: 'tasks',
    lists: 8,
    body: () => `{"data":[${'{},'.repeat(5_592_000)}{}]}`,
  },
  '100,000 tasks': {
    kind: 'tasks',
    body: () => listOf(many, (index) => taskText(index, `"task_${index}"`)),
  },
  '100,000 tasks without an id': {
    kind: 'tasks',
    body: () => listOf(many, (index) => taskText(index, String(index))),
  },
  '100,000 timesheets': {
    kind: 'timesheets',
    body: () => listOf(many, (index) => timesheetText(index, `"2026-01-05T00:00:00.000Z"`)),
  },
  '100,000 timesheets, none of which fits': {
    kind: 'timesheets',
    body: () => listOf(many, (index) => timesheetText(index, 'null')),
  },
  '100,000 leaves of one person': { kind: 'leaves', body: () => listOf(many, leaveText) },
}

it.each(Object.entries(cases))(
  '%s',
  { timeout: 600_000 },
  async (name, { kind, lists = 1, body }) => {
    const company = await startCompany(kind, gzipSync(body()))
    const child = await startProgram(company, projects.slice(0, lists))
    const feed = await createFeed(child.url, kind)
    await told(child.process)
    const begun = performance.now()
    const { status } = await fetch(feed)
    const ms = performance.now() - begun
    const { byClock, byProcessor, peakBytes } = await told(child.process)
    console.log(
      `${name}: held for ${byProcessor.toFixed(0)} ms at most (${byClock.toFixed(0)} by the clock), ${(peakBytes / 1_048_576).toFixed(0)} MB, answered ${status} after ${ms.toFixed(0)} ms`,
    )
    expect(child.process.exitCode).toBe(null)
    expect(byProcessor).toBeLessThan(holdMaxMs)
  },
)

function listOf(count: number, record: (index: number) => string): string {
  return `{"data":[${Array.from({ length: count }, (_, index) => record(index)).join(',')}]}`
}

function taskText(index: number, id: string): string {
  return `{"id":${id},"title":"Task ${index}","status":"OPEN","dueDate":"2026-01-05T00:00:00.000Z","assignees":[{"id":"usr_${index % 3000}"}]}`
}

function timesheetText(index: number, start: string): string {
  return `{"id":"ts_${index}","userId":"usr_${index % 3000}","periodStart":${start},"periodEnd":"2026-01-11T00:00:00.000Z","status":"DRAFT"}`
}

function leaveText(index: number): string {
  const day = new Date(1_000_000_000_000 + 86_400_000 * (index % 5000)).toISOString()
  return `{"id":"lv_${(index * 7919) % many}","startDate":"${day}","endDate":"${day}","status":"APPROVED","days":1}`
}

/** A Read API that answers one kind of list with that body, and knows one person. */
async function startCompany(kind: Kind, body: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const isUser = url.pathname.includes('/users/')
    const isOfOther = kind === 'leaves' && url.searchParams.get('userId') !== 'usr_1'
    const isBody = !isUser && url.pathname.endsWith(kind) && !isOfOther
    const small = isUser
      ? `{"data":{"id":"${url.pathname.split('/').at(-1)}","firstName":"Ada"}}`
      : '{"data":[]}'
    response.setHeader('content-encoding', 'gzip').end(isBody ? body : gzipSync(small))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Program {
  readonly process: ChildProcess
  readonly url: string
}

async function startProgram(company: string, ids: readonly string[]): Promise<Program> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bridge-bench-'))
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=512', '--import', loopProcess, main, 'serve', '--json'],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
        PORT: '0',
        ADMIN_TOKEN: adminToken,
        FEED_REFRESH_BUDGET_MS: '300000',
        WORKFORCE_TIMEOUT_MS: '300000',
        WORKFORCE_PROJECTS: ids.join(','),
        WORKFORCE_SCHEDULES: 'sch_day',
        ...readsFrom(company),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true })
  })
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  return { process: child, url: (JSON.parse(line) as { readonly url: string }).url }
}

/** Of a person, with that kind alone. */
async function createFeed(url: string, kind: Kind): Promise<string> {
  const kinds = ['leaves', 'timesheets', 'tasks', 'shifts', 'invoices']
  const options = Object.fromEntries(kinds.map((name) => [name, { show: name === kind }]))
  const response = await fetch(new URL('/api/feeds', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ userIds: ['usr_1'], options }),
  })
  const feed = (await response.json()) as FeedAnswer
  expect(response.status).toBe(201)
  return calendarUrl(feed)
}

async function told(child: ChildProcess): Promise<Held> {
  const answered = once(child, 'message')
  child.send('how long')
  const [held] = (await answered) as [Held]
  return held
}
