/*
 * 300 polls a second of a thousand people's calendars, while their Read API fails for 20 seconds and answers for 20. A half
 * hour by SOAK_MINUTES=30. Every calendar that is looked at holds all that it held at first.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { expect, it, onTestFinished } from 'vitest'

import { median } from '../support/bench/ratios.ts'
import type { UsageTold } from '../support/bench/usage-process.ts'
import { type BusyBridge, startBusyBridge } from '../support/bridge/busy-bridge.ts'
import { personId } from '../support/company/person-ids.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 4)
const rate = Number(process.env['SOAK_RATE'] ?? 300)
const people = 1000
const firstRate = 30
const phaseSeconds = 20
const lookEveryMs = 200
/** Until then caches fill. */
const settledPhases = Math.floor((Math.min(5, minutes / 2) * 60) / phaseSeconds)
const growthMax = 1.05
const delayP99Max = 100

it(`${minutes} minutes of ${rate} polls a second`, { timeout: 7_200_000 }, async () => {
  const bridge = await startBusyBridge(
    { people, latencyMs: 20 },
    { FEED_FRESH_SECONDS: '60', FEED_POLLS_PER_MINUTE: '1000' },
  )
  onTestFinished(() => bridge.close())
  const paths = await bridge.createFeeds(
    Array.from({ length: people }, (_, number) => personId(number)),
  )
  await bridge.poll({ paths, rate: firstRate, count: people, conditional: 0 })
  const held = new Map<string, ReadonlySet<string>>()
  for (const path of paths) held.set(path, await eventsOf(bridge, path))
  await bridge.load()

  const told: UsageTold[] = []
  const statuses: Record<string, number> = {}
  let settled = 0
  for (let phase = 0; phase < (minutes * 60) / phaseSeconds; phase += 1) {
    await bridge.companies({ failing: phase % 2 === 0 ? 1 : 0 })
    const over = new AbortController()
    const looking = lookOnAndOn(bridge, held, over.signal)
    const count = rate * phaseSeconds
    const polled = await bridge.poll({ paths, rate, count, conditional: 0.5 })
    over.abort()
    await looking
    told.push(await bridge.load())
    if (phase === settledPhases) settled = (await bridge.load({ atRest: true })).residentBytes
    for (const [status, polls] of Object.entries(polled.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + polls
    }
    console.log(describePhase(phase, polled.waits.p99, told.at(-1)!))
  }
  console.log(JSON.stringify(statuses))

  for (const path of paths) expect(lostOf(held, path, await eventsOf(bridge, path))).toEqual([])
  expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '304')).toEqual([])
  expect(told.at(-1)?.unhandled).toBe(0)
  expect(median(told.map(({ delayP99 }) => delayP99))).toBeLessThanOrEqual(delayP99Max)
  const { residentBytes: atEnd } = await bridge.load({ atRest: true })
  console.log(
    `resident, at rest: ${inMegabytes(settled)} MB once settled, ${inMegabytes(atEnd)} MB at the end`,
  )
  expect(atEnd).toBeLessThanOrEqual(growthMax * settled)
})

function inMegabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0)
}

/** One calendar after the other, for as long as others poll. */
async function lookOnAndOn(
  bridge: BusyBridge,
  held: ReadonlyMap<string, ReadonlySet<string>>,
  signal: AbortSignal,
): Promise<void> {
  const paths = [...held.keys()]
  for (let number = 0; !signal.aborted; number += 1) {
    const path = paths[(number * 37) % paths.length] ?? ''
    expect(lostOf(held, path, await eventsOf(bridge, path))).toEqual([])
    await pause(lookEveryMs)
  }
}

async function eventsOf({ url }: BusyBridge, path: string): Promise<ReadonlySet<string>> {
  const response = await fetch(new URL(path, url))
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return new Set((await response.text()).match(/^UID:.+$/gm))
}

function lostOf(
  held: ReadonlyMap<string, ReadonlySet<string>>,
  path: string,
  now: ReadonlySet<string>,
): readonly string[] {
  return [...(held.get(path) ?? [])].filter((uid) => !now.has(uid))
}

function describePhase(phase: number, p99: number, told: UsageTold): string {
  const { cpuMs, ms, residentBytes, delayP99, delayMost } = told
  return (
    `phase ${phase}: waited p99 ${p99.toFixed(0)} ms; ${((100 * cpuMs) / ms).toFixed(0)} % of a core, ` +
    `${inMegabytes(residentBytes)} MB, event loop late by p99 ${delayP99.toFixed(0)} ms, at most ${delayMost.toFixed(0)} ms`
  )
}
