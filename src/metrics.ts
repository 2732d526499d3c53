import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

import type { Log } from './domain/world.ts'
import type { AnswerMetrics, CountedRoute } from './http/metrics-route.ts'

const prefix = 'calendar_feed_bridge_'

/** What a node has done since its start, in the Prometheus text format. No address, token or name is a label. */
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
  #processIsCounted = false

  countAnswer(route: CountedRoute, status: number, seconds: number): void {
    this.#answers.inc({ route, status })
    this.#seconds.observe({ route }, seconds)
  }

  /** A log whose events are counted as well. */
  counting(log: Log): Log {
    const counted =
      (level: keyof Log) =>
      (data: object, event: string): void => {
        this.#events.inc({ event, level, company: companyOf(data) })
        log[level](data, event)
      }
    return {
      debug: (data, event) => log.debug(data, event),
      info: counted('info'),
      warn: counted('warn'),
      error: counted('error'),
    }
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** All of it as text. */
  render(): Promise<string> {
    this.#countProcess()
    return this.#registry.metrics()
  }

  /** Memory, CPU and event loop, from the first time that somebody looks: measuring them costs a little. */
  #countProcess(): void {
    if (this.#processIsCounted) return
    this.#processIsCounted = true
    collectDefaultMetrics({ register: this.#registry })
  }
}

function companyOf(data: object): string {
  return 'company' in data && typeof data.company === 'string' ? data.company : ''
}
