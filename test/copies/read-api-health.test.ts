/* What the log and the gauges say of a Read API that goes down and comes back. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ReadApiHealth } from '../../src/copies/read-api-health.ts'
import type { Collection } from '../../src/domain/copy.ts'
import { AppError } from '../../src/domain/errors.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { it as company, pollNow } from '../support/bridge/fixtures.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'

const leaves: Collection = { kind: 'leaves', subject: 'usr_ada' }
const tasks: Collection = { kind: 'tasks', subject: 'prj_web' }
const down = new AppError('upstream_unavailable', 'GET /leaves answered 500.')
const minuteMs = 60_000

function start() {
  const clock = createFakeClock()
  const lines: LogLine[] = []
  const log = recordedLog(lines)
  const health = new ReadApiHealth('main', { freshMs: 5 * minuteMs, clock, log })
  return { clock, health, told: () => lines.map(({ event, data }) => [event, data]) }
}

describe('a Read API that goes down', () => {
  it('Is reported once, and its return once with how long it was down', async () => {
    const { clock, health, told } = start()
    health.noteAnswer(leaves)
    health.noteFault(leaves, down)
    health.noteFault(tasks, down)
    await clock.advance(10 * minuteMs)
    health.noteFault(leaves, down)
    expect(health.isUp).toBe(false)
    await clock.advance(minuteMs)
    health.noteAnswer(leaves)
    health.noteAnswer(tasks)
    expect(health.isUp).toBe(true)
    const { code, message: reason } = down
    expect(told()).toEqual([
      ['read_api_down', { company: 'main', operation: 'leaves', code, reason }],
      ['read_api_back', { company: 'main', afterSeconds: 660 }],
    ])
  })

  it('Is up while anything answers, but is back only when everything answers again', () => {
    const { health, told } = start()
    health.noteFault(leaves, down)
    expect(health.isUp).toBe(false)
    health.noteAnswer(tasks)
    expect(health.isUp).toBe(true)
    health.noteFault(tasks, down)
    expect(health.isUp).toBe(false)
    health.noteAnswer(leaves)
    expect(told().map(([event]) => event)).toEqual(['read_api_down'])
  })

  it('Is back even if the failed collection is no longer requested', async () => {
    const { clock, health, told } = start()
    health.noteFault(leaves, down)
    await clock.advance(21 * minuteMs)
    health.noteAnswer(tasks)
    expect(told().map(([event]) => event)).toEqual(['read_api_down', 'read_api_back'])
  })

  it('Repeated failures are reported again only if they last', async () => {
    const { clock, health, told } = start()
    for (let times = 0; times < 5; times += 1) {
      health.noteFault(leaves, down)
      await clock.advance(10_000)
      health.noteAnswer(leaves)
    }
    expect(told()).toHaveLength(2)
    health.noteFault(leaves, down)
    await clock.advance(minuteMs)
    health.noteFault(leaves, down)
    expect(told()).toHaveLength(3)
  })

  it('Down and back always alternate in the log, and the last report is true', async () => {
    const step = fc.record({
      fails: fc.boolean(),
      of: fc.constantFrom(leaves, tasks),
      afterMs: fc.nat(20 * minuteMs),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { clock, health, told } = start()
        for (const { fails, of, afterMs } of steps) {
          await clock.advance(afterMs)
          if (fails) health.noteFault(of, down)
          else health.noteAnswer(of)
        }
        const events = told().map(([event]) => event)
        const turns = events.map((_, at) => (at % 2 === 0 ? 'read_api_down' : 'read_api_back'))
        expect(events).toEqual(turns)
        if (events.at(-1) === 'read_api_back' || events.length === 0) return
        health.noteAnswer(leaves)
        health.noteAnswer(tasks)
        expect(told().at(-1)?.[0]).toBe('read_api_back')
      }),
    )
  })
})

company(
  'Polls of an API that is down are logged in one line and show in the gauges',
  async ({ company: { faults }, clock, bridge, feedOf, logged }) => {
    const gauges = async (): Promise<readonly string[]> => {
      const text = await (await fetch(`${bridge.url}/metrics`)).text()
      return text
        .split('\n')
        .filter((line) => /_(read_api_up|oldest_copy_seconds|feeds)\{/.test(line))
    }
    const url = await feedOf('usr_ada')
    await pollNow(url)
    const prefix = 'calendar_feed_bridge_'
    expect(await gauges()).toEqual([
      `${prefix}read_api_up{company="main"} 1`,
      `${prefix}oldest_copy_seconds{company="main"} 0`,
      `${prefix}feeds{state="open"} 1`,
      `${prefix}feeds{state="closed"} 0`,
      `${prefix}feeds{state="revoked"} 0`,
    ])
    logged.length = 0
    faults.set('/', 500)
    for (let polls = 0; polls < 3; polls += 1) {
      await clock.advance(2 * minuteMs)
      await pollNow(url)
    }
    const told = logged.filter(({ level }) => level !== 'debug')
    expect(told.map(({ event }) => event)).toEqual(['read_api_down'])
    expect((await gauges()).slice(0, 2)).toEqual([
      `${prefix}read_api_up{company="main"} 0`,
      `${prefix}oldest_copy_seconds{company="main"} 360`,
    ])
    faults.clear()
    await clock.advance(2 * minuteMs)
    await pollNow(url)
    expect(logged.filter(({ level }) => level === 'info').map(({ event }) => event)).toEqual([
      'read_api_back',
    ])
    expect((await gauges())[1]).toBe(`${prefix}oldest_copy_seconds{company="main"} 0`)
  },
)

company(
  'A refused credential counts as down until it is accepted, and no project is reported',
  async ({ company: { faults }, clock, bridge, feedOf, logged }) => {
    const url = await feedOf('usr_ada')
    await pollNow(url)
    logged.length = 0
    faults.set('/', 401)
    for (let polls = 0; polls < 3; polls += 1) {
      await clock.advance(2 * minuteMs)
      await pollNow(url)
      const text = await (await fetch(`${bridge.url}/metrics`)).text()
      expect(text).toContain('calendar_feed_bridge_read_api_up{company="main"} 0')
    }
    const told = logged.filter(({ level }) => level !== 'debug')
    expect(told.map(({ event }) => event)).toEqual(['read_api_down'])
  },
)
