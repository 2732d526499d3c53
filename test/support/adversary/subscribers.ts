/* People who poll their calendars, through bridges on one database that all read one lying company. */
import { setTimeout as sleep } from 'node:timers/promises'

import type { Clock } from '../../../src/domain/world.ts'
import { calendarUrl, type FeedAnswer, startBridge, type TestBridge } from '../bridge/bridge.ts'
import type { FakeClock } from '../bridge/fake-clock.ts'
import { type ReadEvent, readCalendar } from '../calendar/read-calendar.ts'
import type { LyingCompany } from './lying-company.ts'

/** How long there may be nothing to do for a poll before time goes on for it; a busy machine's delays are not counted. */
const idleMs = 500

/** Short, so that many polls are quick; the month must turn before anything leaves it. */
export const options = {
  window: { pastDays: 0, futureDays: 70 },
  shifts: { scheduleIds: ['sch_day'], duringLeave: 'show' },
}

export interface Subscription {
  readonly person: string
  readonly feed: FeedAnswer
  /** Of the calendar, below any node. */
  readonly path: string
}

export interface Polled {
  readonly person: string
  readonly status: number
  readonly text: string
  readonly stale: string | null
  /** The SEQUENCE of each event of a 200, by UID. */
  readonly sequences: ReadonlyMap<string, number>
  readonly uids: ReadonlySet<string>
  /** The same events, read; throws where the text breaks any byte rule. */
  readonly events: ReadonlyMap<string, ReadEvent>
}

export interface Surroundings {
  readonly company: LyingCompany
  readonly clock: FakeClock
  readonly environment: Readonly<Record<string, string>>
}

export class Subscribers {
  readonly company: LyingCompany
  readonly clock: FakeClock
  readonly nodes: TestBridge[] = []
  readonly subscriptions: Subscription[] = []
  readonly #environment: Readonly<Record<string, string>>

  constructor({ company, clock, environment }: Surroundings) {
    this.company = company
    this.clock = clock
    this.#environment = environment
  }

  /** PostgreSQL takes its time between two requests: it works elsewhere, on a busy machine later. */
  get #calmMs(): number {
    return this.databaseUrl.startsWith('postgres') ? 25 : 3
  }

  /** All bridges'. */
  get databaseUrl(): string {
    return this.#environment['DATABASE_URL'] ?? ''
  }

  /** Another bridge on the same database, its settings or its clock otherwise than those of the first. */
  async addNode(
    changes: Readonly<Record<string, string>> = {},
    {
      clock = this.clock,
      common = clock,
      rounds = true,
    }: { readonly clock?: Clock; readonly common?: Clock; readonly rounds?: boolean } = {},
  ): Promise<number> {
    const environment = { ...this.#environment, ...changes }
    this.nodes.push(await startBridge({ environment, clock, common, rounds }))
    return this.nodes.length - 1
  }

  async replaceNode(node: number, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.nodes[node]?.close()
    const environment = { ...this.#environment, ...changes }
    this.nodes[node] = await startBridge({ environment, clock: this.clock, rounds: true })
  }

  /** Makes a feed of that person, or of several. */
  async subscribe(person: string, input: object = {}): Promise<Subscription> {
    const feed = await this.#node(0).createFeed({ userIds: [person], options, ...input })
    const subscription = { person, feed, path: new URL(calendarUrl(feed)).pathname }
    this.subscriptions.push(subscription)
    return subscription
  }

  async subscribeAll(people: readonly string[], input: object = {}): Promise<void> {
    for (const person of people) await this.subscribe(person, input)
  }

  /** A poll at the time that it is. */
  async poll({ person, path }: Subscription, node = 0): Promise<Polled> {
    const response = await this.whileTimePasses(fetch(this.#node(node).url + path))
    const text = await response.text()
    const { status, headers } = response
    const sequences = sequencesIn(status === 200 ? text : '')
    let read: ReadonlyMap<string, ReadEvent> | undefined
    return {
      person,
      status,
      text,
      stale: headers.get('x-feed-stale-seconds'),
      sequences,
      uids: new Set(sequences.keys()),
      get events() {
        return (read ??= status === 200 ? readCalendar(text) : new Map<string, ReadEvent>())
      },
    }
  }

  /** Everybody polls, one after the other; what that has set going at the upstream is over then. */
  async pollAll(node = 0): Promise<readonly Polled[]> {
    const polled: Polled[] = []
    for (const subscription of this.subscriptions) polled.push(await this.poll(subscription, node))
    await this.company.quiet()
    return polled
  }

  /** Time goes on in such steps, and what wakes has done its work by the end of each. */
  async pass(ms: number, stepMs = 60_000): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await this.clock.advance(Math.min(left, stepMs))
      await this.company.quiet(this.#calmMs)
    }
  }

  /** All bridges are off meanwhile, one is on again afterwards. */
  async pause(meanwhile: () => Promise<void>): Promise<void> {
    await this.close()
    this.nodes.length = 0
    await meanwhile()
    await this.addNode()
    await this.company.quiet()
  }

  /** So many minutes, at each of which everybody polls; the last answers. */
  async pollFor(minutes: number, everyMinutes = 1, node = 0): Promise<readonly Polled[]> {
    let polled: readonly Polled[] = []
    for (let minute = 0; minute < minutes; minute += everyMinutes) {
      await this.pass(everyMinutes * 60_000 + 1000, everyMinutes * 60_000 + 1000)
      polled = await this.pollAll(node)
    }
    return polled
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()))
  }

  /** What waits for the clock and not for the upstream would wait for ever. */
  async whileTimePasses<T>(work: Promise<T>): Promise<T> {
    const done = new AbortController()
    const ended = work.finally(() => done.abort())
    const idleUntil = performance.eventLoopUtilization().idle + idleMs
    for (;;) {
      await sleep(20, undefined, { signal: done.signal }).catch(() => undefined)
      if (done.signal.aborted) return ended
      if (performance.eventLoopUtilization().idle > idleUntil) await this.clock.advance(250)
    }
  }

  #node(node: number): TestBridge {
    const found = this.nodes[node]
    if (!found) throw new Error(`There is no node ${node}.`)
    return found
  }
}

/** By UID; without reading all the rest, which takes a hundred times as long. */
export function sequencesIn(calendar: string): ReadonlyMap<string, number> {
  const events = calendar.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1)
  return new Map(
    events.map((event) => [
      /^UID:(.*)\r$/m.exec(event)?.[1] ?? '',
      Number(/^SEQUENCE:(\d+)\r$/m.exec(event)?.[1]),
    ]),
  )
}
