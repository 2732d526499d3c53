/*
 * Warm polls of the program as it runs in production against a server of `node:http` alone that sends the same bytes and
 * headers: requests a second, and the time of the processor that each costs, by the medians of turns that alternate. Among
 * many feeds something is always committed between two polls of one; here of as few as there are, too, so that each poll
 * looks into the database. What it costs while nothing is committed is told besides. Smaller with WARM_FEEDS, shorter with
 * TURN_MS and TURNS.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

import { afterAll, beforeAll, describe, it } from 'vitest'

import { type LoadGenerator, startLoad } from '../support/bench/load.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import type { BareAnswer } from '../support/bridge/bare-process.ts'
import {
  createFeeds,
  processorTimeOf,
  type Production,
  requestHead,
  startProduction,
} from '../support/bridge/production.ts'
import type { CompanyServer } from '../support/company/company-server.ts'
import { answerOf } from '../support/company/plain-answer.ts'
import { startSpeedCompany } from '../support/company/speed-company.ts'
import { type Commits, openCommits } from '../support/database/commits.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { createTestDatabase } from '../support/database/postgres.ts'
import { ask, end } from '../support/web/ask.ts'

const feedCount = Number(process.env['WARM_FEEDS'] ?? 2000)
const turnMs = Number(process.env['TURN_MS'] ?? 3000)
const turns = Number(process.env['TURNS'] ?? 7)
const connections = 32
/** Less than all feeds are polled in. */
const commitEveryMs = 50

/** One server under one kind of load. */
interface Subject {
  readonly name: string
  readonly server: ChildProcess
  readonly port: number
  readonly requests: readonly string[]
  readonly status: number
  /** What commits while it is asked. */
  readonly commits?: Commits | undefined
  /** What a server of `node:http` alone has to send. */
  readonly answer?: BareAnswer
}

/** In one turn. */
interface Turn {
  readonly perSecond: number
  readonly processorUs: number
  /** How much of the turn the server had the processor. */
  readonly busy: number
}

type Turns = ReadonlyMap<string, readonly Turn[]>

/** A place in the table: what is measured, by the names of two subjects, and the bound. */
interface Comparison {
  readonly measure: string
  readonly against: string
  readonly names: readonly [string, string]
  readonly least: number
}

const onSqlite: readonly Comparison[] = [
  {
    measure: 'warm poll, SQLite, 200 with gzip: requests a second',
    against: '`node:http` alone, same bytes and headers',
    names: ['bridge 200', 'bare 200'],
    least: 0.5,
  },
  {
    measure: 'warm poll, SQLite, 304: requests a second',
    against: '`node:http` alone, same headers',
    names: ['bridge 304', 'bare 304'],
    least: 0.45,
  },
  {
    measure: '`.json`, warm: requests a second',
    against: '`.ics`, warm',
    names: ['bridge json', 'bridge 200'],
    least: 0.9,
  },
]

const onPostgres: readonly Comparison[] = [
  {
    measure: 'warm poll, PostgreSQL, 200 with gzip: requests a second',
    against: '`node:http` alone, same bytes and headers',
    names: ['bridge 200', 'bare 200'],
    least: 0.2,
  },
]

let load: LoadGenerator
let bare: ChildProcess
let barePort: number

beforeAll(async () => {
  load = startLoad()
  bare = fork(path.resolve(import.meta.dirname, '../support/bridge/bare-process.ts'))
  ;[barePort] = (await once(bare, 'message')) as [number]
})

afterAll(async () => {
  await Promise.all([load.end(), end(bare)])
})

describe.each([
  {
    name: 'SQLite',
    create: async () => createSqliteDatabase(),
    openBeside: openCommits,
    comparisons: onSqlite,
    told: ['bridge 200, nothing committed'],
  },
  {
    name: 'PostgreSQL',
    create: () => createTestDatabase(),
    openBeside: () => undefined,
    comparisons: onPostgres,
    told: [],
  },
])('on $name', ({ create, openBeside, comparisons, told }) => {
  let company: CompanyServer
  let bridge: Production
  let feeds: readonly string[]
  let commits: Commits | undefined

  beforeAll(async () => {
    company = await startSpeedCompany(Array(feedCount).keys())
    const databaseUrl = await create()
    bridge = await startProduction({ company, databaseUrl })
    commits = openBeside(databaseUrl)
    feeds = await createFeeds(bridge, feedCount)
    await pollAll(feeds)
    await pollAll(feeds.map(jsonOf))
  }, 1_200_000)

  afterAll(async () => {
    commits?.close()
    await bridge.close()
    await company.close()
  })

  it('warm polls', { timeout: 1_200_000 }, async () => {
    const used = new Set([...told, ...comparisons.flatMap(({ names }) => names)])
    const subjects = (await subjectsOf(bridge, feeds, commits)).filter(({ name }) => used.has(name))
    const measured = await measure(subjects)
    report(measured)
    for (const comparison of comparisons) compare(measured, comparison)
  })

  /** Each once, so that all are warm. */
  async function pollAll(paths: readonly string[]): Promise<void> {
    const requests = paths.map((feed) => requestHead(feed))
    const all = { requests, count: requests.length, status: 200, connections: 16 }
    const begun = await processorTimeOf(bridge.child)
    await load.put({ port: bridge.port, ...all })
    const used = (await processorTimeOf(bridge.child)) - begun
    const each = used / 1000 / paths.length
    console.log(`${paths.length} first polls: ${each.toFixed(1)} ms of the processor each`)
  }
})

function jsonOf(ics: string): string {
  return ics.replace(/\.ics$/, '.json')
}

async function subjectsOf(
  { child, port }: Production,
  feeds: readonly string[],
  commits: Commits | undefined,
): Promise<readonly Subject[]> {
  const tags = await Promise.all(feeds.map(async (feed) => (await answerOf(port, feed)).etag))
  const requests = feeds.map((feed) => requestHead(feed))
  const conditional = feeds.map((feed, at) =>
    requestHead(feed, { 'If-None-Match': tags[at] ?? '' }),
  )
  const json = feeds.map((feed) => requestHead(jsonOf(feed)))
  const [middle = ''] = feeds
  const whole = await answerOf(port, middle)
  const unchanged = await answerOf(port, middle, { 'If-None-Match': whole.etag })
  console.log(
    `A 200 with ${Buffer.from(whole.body, 'base64').length} bytes: ${whole.headers.join(' ')}`,
  )
  const quiet = { server: child, port }
  const bridge = { ...quiet, commits }
  const alone = { server: bare, port: barePort }
  return [
    { name: 'bridge 200', ...bridge, requests, status: 200 },
    { name: 'bare 200', ...alone, requests, status: 200, answer: whole },
    { name: 'bridge 304', ...bridge, requests: conditional, status: 304 },
    { name: 'bare 304', ...alone, requests: conditional, status: 304, answer: unchanged },
    { name: 'bridge json', ...bridge, requests: json, status: 200 },
    { name: 'bridge 200, nothing committed', ...quiet, requests, status: 200 },
  ]
}

/** In turns, so that whatever else the machine does meets all alike; the first of each does not count. */
async function measure(subjects: readonly Subject[]): Promise<Turns> {
  const measured = new Map(subjects.map(({ name }) => [name, [] as Turn[]]))
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const subject of subjects) {
      const taken = await takeTurn(subject)
      if (turn > 0) measured.get(subject.name)?.push(taken)
    }
  }
  return measured
}

async function takeTurn(subject: Subject): Promise<Turn> {
  const { server, port, requests, status, answer, commits } = subject
  if (answer) await ask(server, answer)
  const committing = setInterval(() => commits?.commit(), commitEveryMs)
  const begun = await processorTimeOf(server)
  const { answers, ms } = await load.put({ port, requests, status, ms: turnMs, connections })
  const used = (await processorTimeOf(server)) - begun
  clearInterval(committing)
  return { perSecond: (answers / ms) * 1000, processorUs: used / answers, busy: used / 1000 / ms }
}

function report(measured: Turns): void {
  for (const [name, taken] of measured) {
    const perSecond = median(taken.map((turn) => turn.perSecond)).toFixed(0)
    const processor = median(taken.map((turn) => turn.processorUs)).toFixed(1)
    const busy = (median(taken.map((turn) => turn.busy)) * 100).toFixed(0)
    console.log(
      `${name}: ${perSecond} a second, ${processor} µs of the processor each, ${busy} % busy`,
    )
  }
}

/** By the median of the ratios of each turn. */
function compare(measured: Turns, { names, least, ...row }: Comparison): void {
  const [one, other] = names.map((name) => measured.get(name) ?? []) as [Turn[], Turn[]]
  const cost = median(one.map((turn, at) => other[at]!.processorUs / turn.processorUs))
  const rate = median(one.map((turn, at) => turn.perSecond / other[at]!.perSecond))
  noteRatio({ ...row, bound: { least }, measured: rate, byProcessor: cost, bench: 'warm' })
}
