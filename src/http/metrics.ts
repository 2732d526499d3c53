import type { RequestHandler } from 'express'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

import type { Log } from '../domain/ports.ts'
import { requireAdmin } from './authentication.ts'

const prefix = 'calendar_feed_bridge_'

export type CountedRoute = 'calendar' | 'events' | 'page' | 'api' | 'other'

/** What a node has done since its start, in the Prometheus text format. No address, token or name is a label. */
export class Metrics {
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

  /** Counts the answers of all routes after it. */
  countAnswers(): RequestHandler {
    return (request, response, next) => {
      const begun = performance.now()
      const route = routeOf(request.path)
      response.once('finish', () => {
        this.countAnswer(route, response.statusCode, (performance.now() - begun) / 1000)
      })
      next()
    }
  }

  /** `GET /metrics`, for whoever may have them. */
  serve(): RequestHandler {
    return async (_request, response) => {
      this.#countProcess()
      response.setHeader('Cache-Control', 'no-store')
      response.type(this.#registry.contentType).send(await this.#registry.metrics())
    }
  }

  /** Memory, CPU and event loop, from the first time that somebody looks: measuring them costs a little. */
  #countProcess(): void {
    if (this.#processIsCounted) return
    this.#processIsCounted = true
    collectDefaultMetrics({ register: this.#registry })
  }
}

/** Metrics are open where nobody but this machine can ask; elsewhere they need the admin token. */
export function guardMetrics(
  deps: Parameters<typeof requireAdmin>[0] & { readonly publicUrl: string },
): RequestHandler {
  const { hostname } = new URL(deps.publicUrl)
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return isLoopback ? (_request, _response, next) => next() : requireAdmin(deps)
}

function companyOf(data: object): string {
  return 'company' in data && typeof data.company === 'string' ? data.company : ''
}

function routeOf(path: string): CountedRoute {
  if (path.startsWith('/feeds/')) return 'page'
  return path.startsWith('/api/') ? 'api' : 'other'
}
