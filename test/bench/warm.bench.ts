/*
 * Warm polls of the program as it runs in production against a server of `node:http` alone that sends the same bytes and
 * headers: requests a second, and the time of the processor that each costs, by the medians of turns that alternate. Smaller
 * with WARM_FEEDS, shorter with TURN_MS and TURNS.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ask, end } from '../support/ask.ts'
import type { BareAnswer } from '../support/bare-process.ts'
import { createSqliteDatabase } from '../support/databases.ts'
import type { Load, LoadResult } from '../support/load-process.ts'
import { noteRatio } from '../support/measured-ratios.ts'
import { createTestDatabase } from '../support/postgres.ts'
import {
  processorTimeOf,
  type Production,
  requestHead,
  startProduction,
} from '../support/production.ts'
import { median } from '../support/ratios.ts'

const feedCount = Number(process.env['WARM_FEEDS'] ?? 2000)
const turnMs = Number(process.env['TURN_MS'] ?? 3000)
const turns = Number(process.env['TURNS'] ?? 7)
const connections = 32
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** One server under one kind of load. */
interface Subject {
  readonly name: string
  readonly server: ChildProcess
  readonly port: number
  readonly requests: readonly string[]
  readonly status: number
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

let load: ChildProcess
let bare: ChildProcess
let barePort: number

beforeAll(async () => {
  load = fork(supportFile('load-process.ts'))
  bare = fork(supportFile('bare-process.ts'))
  ;[barePort] = (await once(bare, 'message')) as [number]
})

afterAll(async () => {
  agent.destroy()
  await Promise.all([end(load), end(bare)])
})

describe.each([
  { name: 'SQLite', create: async () => createSqliteDatabase(), comparisons: onSqlite },
  { name: 'PostgreSQL', create: () => createTestDatabase(), comparisons: onPostgres },
])('on $name', ({ create, comparisons }) => {
  let bridge: Production

  beforeAll(async () => {
    bridge = await startProduction({ people: feedCount, databaseUrl: await create() })
    await pollAll(bridge.feeds)
    await pollAll(bridge.feeds.map(jsonOf))
  }, 1_200_000)

  afterAll(() => bridge.close())

  it('warm polls', { timeout: 1_200_000 }, async () => {
    const used = new Set(comparisons.flatMap(({ names }) => names))
    const subjects = (await subjectsOf(bridge)).filter(({ name }) => used.has(name))
    const measured = await measure(subjects)
    report(measured)
    for (const comparison of comparisons) compare(measured, comparison)
  })

  /** Each once, so that all are warm. */
  async function pollAll(paths: readonly string[]): Promise<void> {
    const requests = paths.map((feed) => requestHead(feed))
    const all = { requests, count: requests.length, status: 200, connections: 16 }
    const begun = await processorTimeOf(bridge.child)
    await run({ port: bridge.port, ...all })
    const used = (await processorTimeOf(bridge.child)) - begun
    const each = used / 1000 / paths.length
    console.log(`${paths.length} first polls: ${each.toFixed(1)} ms of the processor each`)
  }
})

function supportFile(name: string): string {
  return path.resolve(import.meta.dirname, '../support', name)
}

function jsonOf(ics: string): string {
  return ics.replace(/\.ics$/, '.json')
}

async function subjectsOf({ child, port, feeds }: Production): Promise<readonly Subject[]> {
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
  const [bridge, alone] = [
    { server: child, port },
    { server: bare, port: barePort },
  ]
  return [
    { name: 'bridge 200', ...bridge, requests, status: 200 },
    { name: 'bare 200', ...alone, requests, status: 200, answer: whole },
    { name: 'bridge 304', ...bridge, requests: conditional, status: 304 },
    { name: 'bare 304', ...alone, requests: conditional, status: 304, answer: unchanged },
    { name: 'bridge json', ...bridge, requests: json, status: 200 },
  ]
}

async function answerOf(
  port: number,
  at: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<BareAnswer & { readonly etag: string }> {
  const sent = { 'Accept-Encoding': 'gzip', ...headers }
  const asked = request({ port, path: at, headers: sent, agent })
  const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
  const body = await buffer(answer)
  return {
    status: answer.statusCode ?? 0,
    headers: ownHeaders(answer.rawHeaders),
    body: body.toString('base64'),
    etag: answer.headers.etag ?? '',
  }
}

/** Without those that `node:http` sets by itself. */
function ownHeaders(raw: readonly string[]): readonly string[] {
  const isOwn = (name: string): boolean => !/^(date|connection|keep-alive)$/i.test(name)
  return raw.filter((_, index) => isOwn(raw[index - (index % 2)] ?? ''))
}

async function run(asked: Load): Promise<LoadResult> {
  const result = await ask<LoadResult>(load, asked)
  expect(result.wrong).toEqual([])
  return result
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

async function takeTurn({ server, port, requests, status, answer }: Subject): Promise<Turn> {
  if (answer) await ask(server, answer)
  const begun = await processorTimeOf(server)
  const { answers, ms } = await run({ port, requests, status, ms: turnMs, connections })
  const used = (await processorTimeOf(server)) - begun
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
