/*
 * A company subscribes in one morning: 1,500 people's feeds, made at once, are polled for the first time at 60 a second, and
 * all again when their copies are due. The Read API answers in 20 ms, in 200, or slows down; the bridge runs as it is set by
 * default.
 */
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { noteRatio } from '../support/bench/measured-ratios.ts'
import type { Polled } from '../support/bench/polls-process.ts'
import { type BusyBridge, startBusyBridge } from '../support/bridge/busy-bridge.ts'
import type { Behaviour } from '../support/company/companies-process.ts'
import { type IdStyle, personId } from '../support/company/person-ids.ts'

const count = Number(process.env['STORM_FEEDS'] ?? 1500)
const rate = Number(process.env['STORM_RATE'] ?? 60)
const freshSeconds = 60
const firstP99Max = 2000
const dueP99Max = 500
/** Where each call takes 200 ms, 32 at once carry 160 a second, and a first poll takes 4.4: 36 first polls a second. */
const carriedRate = 36
const slowRate = Math.min(rate, carriedRate)
const budgetSeconds = 8
/** Of more polls than it carries the Read API still answers so many of those that it could in time. */
const overloadLeast = 0.6
const fixedLevels = [32, 16, 8]
/** An API that slows down beyond ten at once gets so many for a second at most. */
const crowd = { atOnce: 10, most: 14, latencyMs: 100 }
const timeout = 600_000

it(`${count} feeds polled for the first time at ${rate} a second`, { timeout }, async () => {
  await using storm = await subscribe({ people: count, latencyMs: 20 })
  const first = await polled('first polls', storm, rate)
  await pause(1000 * Math.max(0, freshSeconds))
  const due = await polled('all due', storm, rate)
  for (const [name, polls, most] of [
    ['polled for the first time', first, firstP99Max],
    ['polled when all are due', due, dueP99Max],
  ] as const) {
    noteWait(`${count} feeds made at once, ${name}`, polls, most)
  }
})

it('ids that are prefixes of each other', { timeout }, async () => {
  await using storm = await subscribe({ people: count, latencyMs: 20, ids: 'plain' })
  const polls = await polled('ids that begin each other', storm, rate)
  noteWait(
    `${count} feeds of ids that begin each other, polled for the first time`,
    polls,
    firstP99Max,
  )
})

it('a Read API that answers in 200 ms', { timeout }, async () => {
  const behaviour = { people: count, latencyMs: 200 }
  const ownLevel = async (): Promise<Polled> => {
    await using storm = await subscribe(behaviour)
    return await polled('200 ms, a level of its own', storm, slowRate)
  }
  const fixed = async (level: number): Promise<Polled> => {
    await using storm = await subscribe(behaviour, fixedAt(level))
    return await polled(`200 ms, ${level} at once`, storm, slowRate)
  }
  const { statuses, waits } = await ownLevel()
  expect.soft(statuses).toEqual({ 200: count })
  const fixedP99: number[] = []
  for (const level of fixedLevels) fixedP99.push((await fixed(level)).waits.p99)
  noteRatio({
    measure: `${count} feeds made at once, polled for the first time, the Read API answering in 200 ms: time waited, 99 of 100 polls`,
    against: `the best of ${fixedLevels.join(', ')} requests at once, ${slowRate} polls a second, no poll failing`,
    bound: { most: 1.5 },
    measured: waits.p99 / Math.min(...fixedP99),
    bench: 'storm',
  })
})

it(
  'a Read API that answers in 200 ms and gets more requests than it can carry',
  { timeout },
  async () => {
    await using storm = await subscribe({ people: count, latencyMs: 200 })
    const { statuses } = await polled('200 ms, more than it carries', storm, rate)
    expect.soft(statuses[200]! + statuses[503]!).toBe(count)
    noteRatio({
      measure: `${count} feeds made at once, polled for the first time, the Read API answering in 200 ms: polls answered in time`,
      against: `what 32 requests at once carry meanwhile; ${rate} polls a second`,
      bound: { least: overloadLeast },
      measured: statuses[200]! / Math.min(count, carriedRate * (count / rate + budgetSeconds)),
      bench: 'storm',
    })
  },
)

it('a Read API that slows down beyond ten requests at once', { timeout }, async () => {
  const { atOnce, most, latencyMs } = crowd
  await using storm = await subscribe({ people: count, latencyMs, atOnce })
  await storm.bridge.companies({ watched: most })
  await polled('slowing down', storm, slowRate)
  const { crowdedMs, mostAtOnce } = await storm.bridge.companies()
  console.log(`slowing down: at most ${mostAtOnce} at once`)
  noteRatio({
    measure: `a Read API that slows down beyond ${atOnce} requests at once: seconds with more than ${most}`,
    against: `${slowRate} first polls a second, answered in ${latencyMs} ms by so many at once`,
    bound: { most: 1 },
    measured: crowdedMs / 1000,
    bench: 'storm',
  })
})

interface Storm extends AsyncDisposable {
  readonly bridge: BusyBridge
  readonly paths: readonly string[]
}

/** A bridge with everybody's feeds, not polled yet. */
async function subscribe(
  behaviour: Behaviour,
  environment: Readonly<Record<string, string>> = {},
): Promise<Storm> {
  const settings = { FEED_FRESH_SECONDS: String(freshSeconds), ...environment }
  const bridge = await startBusyBridge(behaviour, settings)
  const ids: IdStyle = behaviour.ids ?? 'padded'
  const people = Array.from({ length: count }, (_, number) => personId(number, ids))
  const paths = await bridge.createFeeds(people)
  return { bridge, paths, [Symbol.asyncDispose]: () => bridge.close() }
}

async function polled(name: string, { bridge, paths }: Storm, arriving: number): Promise<Polled> {
  await bridge.load()
  const before = await bridge.companies()
  const result = await bridge.poll({ paths, rate: arriving, count, conditional: 0 })
  const after = await bridge.companies()
  const load = await bridge.load()
  const { p50, p90, p99, most } = result.waits
  console.log(
    `${name}: ${JSON.stringify(result.statuses)}; waited p50 ${inMs(p50)}, p90 ${inMs(p90)}, p99 ${inMs(p99)}, at most ${inMs(most)}; ` +
      `per poll ${((after.calls - before.calls) / count).toFixed(2)} calls of the Read API and ${(load.cpuMs / count).toFixed(1)} ms of CPU ` +
      `(${((100 * load.cpuMs) / load.ms).toFixed(0)} % of a core); event loop late by p99 ${inMs(load.delayP99)}, at most ${inMs(load.delayMost)}; ` +
      `${(load.residentBytes / 1_048_576).toFixed(0)} MB`,
  )
  return result
}

function noteWait(measure: string, { statuses, waits }: Polled, most: number): void {
  expect.soft(statuses).toEqual({ 200: count })
  noteRatio({
    measure: `${measure}: seconds waited, 99 of 100 polls`,
    against: `${rate} polls a second, the Read API answering in 20 ms, no poll failing`,
    bound: { most: most / 1000 },
    measured: waits.p99 / 1000,
    bench: 'storm',
  })
}

/** So many requests at once, from the first on. */
function fixedAt(level: number): Readonly<Record<string, string>> {
  const file = path.join(import.meta.dirname, '../support/bench/fixed-concurrency-process.ts')
  return { NODE_OPTIONS: `--import ${file}`, FIXED_CONCURRENCY: String(level) }
}

function inMs(ms: number): string {
  return `${ms.toFixed(0)} ms`
}
