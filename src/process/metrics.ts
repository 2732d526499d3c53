import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { Source } from '../copies/source.ts'
import { asAppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Log } from '../domain/world.ts'
import type { AnswerMetrics, CountedRoute } from '../http/http-deps.ts'

const prefix = 'calendar_feed_bridge_'
/** Counting a million feeds takes a while. The next count waits a hundred times as long, up to a minute. */
const restForEachMs = 100
const restMsMax = 60_000
/** Node's histogram values, in seconds, before anything was measured. */
const unmeasured = /^nodejs_eventloop_lag_\w+ (?:nan|9223372036\.\d+)\n/gim

interface Measured {
  /** By company. */
  readonly sources: ReadonlyMap<string, Source>
  readonly feeds: FeedStore
}

/** Metrics of a node since its start, in the Prometheus text format. No address, token or name is a label. */
export class Metrics implements AnswerMetrics {
  readonly #registry = new Registry()
  readonly #answers = new Counter({
    name: `${prefix}answers_total`,
    help: 'HTTP requests answered, by route and status',
    labelNames: ['route', 'status'],
    registers: [this.#registry],
  })
  readonly #seconds = new Histogram({
    name: `${prefix}answer_seconds`,
    help: 'Time until an HTTP request was answered whole, by route',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 8, 30],
    registers: [this.#registry],
  })
  readonly #events = new Counter({
    name: `${prefix}events_total`,
    help: 'What the log told of, by its word, level and company',
    labelNames: ['event', 'level', 'company'],
    registers: [this.#registry],
  })
  readonly #readApi = new Gauge({
    name: `${prefix}read_api_up`,
    help: 'Whether the Read API answers feeds (1) or nothing of what they ask for (0), by company',
    labelNames: ['company'],
    registers: [this.#registry],
  })
  readonly #oldestCopy = new Gauge({
    name: `${prefix}oldest_copy_seconds`,
    help: 'Age of the oldest copy that is served since it could not be refreshed, 0 where all could, by company',
    labelNames: ['company'],
    registers: [this.#registry],
  })
  readonly #feeds = new Gauge({
    name: `${prefix}feeds`,
    help: 'Feeds in the database: open, closed since the person has left, revoked',
    labelNames: ['state'],
    registers: [this.#registry],
  })
  #measured: Measured | null = null
  #feedsCountedUntil = 0
  #processIsCounted = false

  countAnswer(route: CountedRoute, status: number, seconds: number): void {
    this.#answers.inc({ route, status })
    this.#seconds.observe({ route }, seconds)
  }

  /** Returns a log that also counts its events. */
  counting(log: Log): Log {
    const counted =
      (level: keyof Log) =>
      (data: object, event: string): void => {
        const company = 'company' in data ? String(data.company) : ''
        this.#events.inc({ event, level, company })
        log[level](data, event)
      }
    return {
      debug: (data, event) => log.debug(data, event),
      info: counted('info'),
      warn: counted('warn'),
      error: counted('error'),
    }
  }

  /** Makes `render` measure these as well from now on. */
  measure(measured: Measured): void {
    this.#measured = measured
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async render(): Promise<string> {
    this.#countProcess()
    if (this.#measured) await this.#look(this.#measured)
    return (await this.#registry.metrics()).replaceAll(unmeasured, '')
  }

  async #look({ sources, feeds }: Measured): Promise<void> {
    for (const [company, source] of sources) {
      const { isUp, oldestCopyMs } = source.condition()
      this.#readApi.set({ company }, isUp ? 1 : 0)
      this.#oldestCopy.set({ company }, Math.round(oldestCopyMs / 1000))
    }
    const begun = performance.now()
    if (begun < this.#feedsCountedUntil) return
    // While the database is down, the other metrics matter more.
    const counts = await feeds.countFeeds().catch((error: unknown) => {
      if (!asAppError(error)) throw error
    })
    if (!counts) return
    const ended = performance.now()
    this.#feedsCountedUntil = ended + Math.min((ended - begun) * restForEachMs, restMsMax)
    for (const [state, count] of Object.entries(counts)) this.#feeds.set({ state }, count)
  }

  /** Memory, CPU and event loop, starting with the first `render`, since measuring them has a cost. */
  #countProcess(): void {
    if (this.#processIsCounted) return
    this.#processIsCounted = true
    collectDefaultMetrics({ register: this.#registry })
  }
}
