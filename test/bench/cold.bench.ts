/*
 * A poll of which the process knows nothing yet: copies, ledgers and publications are in the database, nothing is in
 * memory. Its time of the processor, over real HTTP, in times of what ical-generator alone takes to render as many
 * events in a process of its own: medians of rounds of one and the other in turns.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { Pool } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'

import type { Calendars } from '../support/bench/generator-process.ts'
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
import { ask, end } from '../support/web/ask.ts'

const rounds = 10
const pollsOfRound = 20
/** As many as it takes until the program is compiled. */
const pollsBefore = 400
const renderingsBefore = 1000
const people = pollsBefore + 2 * rounds * pollsOfRound
const clients = 4

const generatorProcess = path.resolve(import.meta.dirname, '../support/bench/generator-process.ts')

/** A calendar that has been asked for by the process before. */
interface Known {
  readonly target: string
  readonly etag: string
}

interface Answered {
  readonly status: number
  readonly etag: string
  readonly text: string
}

let folder: string
let company: CompanyServer
let production: Production
let pool: Pool
let generator: ChildProcess
let eventCount = 0
let known: Known[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bridge-bench-'))
  company = await startSpeedCompany(Array(people).keys())
  const settings = { company, databaseUrl: `file:${folder}/bridge.sqlite` }
  production = await startProduction(settings)
  const feeds = await createFeeds(production, people)
  pool = new Pool(production.url, { connections: clients })
  known = await inTurns(feeds, async (target) => ({ target, ...(await get(target)) }))
  const { text } = await get(feeds[0]!)
  eventCount = text.split('BEGIN:VEVENT').length - 1
  await pool.close()
  await production.close()
  production = await startProduction(settings)
  pool = new Pool(production.url, { connections: clients })
  generator = spawn(process.execPath, [generatorProcess], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await pollNext(pollsBefore, 200)
  await render(renderingsBefore)
}, 600_000)

afterAll(async () => {
  await end(generator)
  await pool.close()
  await production.close()
  await company.close()
  await rm(folder, { recursive: true })
})

it.each([
  ['cold poll', 200, 4],
  ['cold 304', 304, 0.5],
] as const)('%s', { timeout: 300_000 }, async (name, status, most) => {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begun = await processorTimeOf(production.child)
    await pollNext(pollsOfRound, status)
    const taken = (await processorTimeOf(production.child)) - begun
    ratios.push(taken / (await render(pollsOfRound)))
  }
  noteRatio({
    measure: `${name} of ${eventCount} events`,
    against: 'rendering them with ical-generator',
    bound: { most },
    measured: median(ratios),
    bench: 'cold',
  })
})

/** So many calendars that the process has not been asked for yet. */
async function pollNext(count: number, status: 200 | 304): Promise<void> {
  const answers = await inTurns(known.splice(0, count), ({ target, etag }) =>
    get(target, status === 304 ? { 'If-None-Match': etag } : {}),
  )
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
}

/** What so many calendars of as many events take. */
function render(count: number): Promise<number> {
  const calendars: Calendars = { count, events: eventCount }
  return ask(generator, calendars)
}

async function get(target: string, more: Record<string, string> = {}): Promise<Answered> {
  const { statusCode, headers, body } = await pool.request({
    path: target,
    method: 'GET',
    // Whoever counts the events reads them as they are.
    headers: { 'Accept-Encoding': eventCount ? 'gzip' : 'identity', ...more },
  })
  return { status: statusCode, etag: String(headers['etag']), text: await body.text() }
}

/** Some at a time, each on a connection that it keeps. */
async function inTurns<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = all.entries()
  const client = async (): Promise<void> => {
    for (const [place, one] of left) results[place] = await act(one)
  }
  await Promise.all(Array.from({ length: clients }, client))
  return results
}
