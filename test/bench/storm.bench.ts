/*
 * A company subscribes in one morning: 1,500 people's feeds, made at once, are polled for the first time at 60 a second, and
 * all again when their copies are due. The Read API answers in 20 ms; the bridge runs as it is set by default.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { expect, it, onTestFinished } from 'vitest'

import { startBusyBridge } from '../support/busy-bridge.ts'
import { noteRatio } from '../support/measured-ratios.ts'
import { personId } from '../support/person-ids.ts'

const count = Number(process.env['STORM_FEEDS'] ?? 1500)
const rate = Number(process.env['STORM_RATE'] ?? 60)
const freshSeconds = 60
const firstP99Max = 2000
const dueP99Max = 500

it(
  `${count} feeds polled for the first time at ${rate} a second`,
  { timeout: 600_000 },
  async () => {
    const bridge = await startBusyBridge(
      { people: count, latencyMs: 20 },
      { FEED_FRESH_SECONDS: String(freshSeconds) },
    )
    onTestFinished(() => bridge.close())
    const paths = await bridge.createFeeds(
      Array.from({ length: count }, (_, number) => personId(number)),
    )
    const polled = async (name: string) => {
      await bridge.load()
      const before = await bridge.companies()
      const result = await bridge.poll({ paths, rate, count, conditional: 0 })
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
    const first = await polled('first polls')
    await pause(1000 * Math.max(0, freshSeconds))
    const due = await polled('all due')
    for (const [name, polls, most] of [
      ['polled for the first time', first, firstP99Max],
      ['polled when all are due', due, dueP99Max],
    ] as const) {
      expect.soft(polls.statuses).toEqual({ 200: count })
      noteRatio({
        measure: `${count} feeds made at once, ${name}: seconds waited, 99 of 100 polls`,
        against: `${rate} polls a second, the Read API answering in 20 ms, no poll failing`,
        bound: { most: most / 1000 },
        measured: polls.waits.p99 / 1000,
        bench: 'storm',
      })
    }
  },
)

function inMs(ms: number): string {
  return `${ms.toFixed(0)} ms`
}
