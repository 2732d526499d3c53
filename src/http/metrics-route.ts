import type { RequestHandler } from 'express'

import { isLoopback, isFromHere } from '../web/loopback.ts'
import { requireAllCompanies } from './authentication.ts'
import type { HttpDeps } from './http-deps.ts'

export type CountedRoute = 'calendar' | 'events' | 'page' | 'api' | 'other'

/** Where answers are counted, and what is known of them. */
export interface AnswerMetrics {
  countAnswer(route: CountedRoute, status: number, seconds: number): void
  readonly contentType: string
  render(): Promise<string>
}

/** Counts the answers of all routes after it. */
export function countAnswers(metrics: Pick<AnswerMetrics, 'countAnswer'>): RequestHandler {
  return (request, response, next) => {
    const begun = performance.now()
    const route = countedRoute(request.path)
    response.once('finish', () => {
      metrics.countAnswer(route, response.statusCode, (performance.now() - begun) / 1000)
    })
    next()
  }
}

/** `GET /metrics`, for whoever may have them. */
export function showMetrics(metrics: AnswerMetrics): RequestHandler {
  return async (_request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.type(metrics.contentType).send(await metrics.render())
  }
}

/** Metrics are open where nobody but this machine can ask; elsewhere they are for staff of all companies. */
export function guardMetrics(
  { publicUrl }: Pick<HttpDeps, 'publicUrl'>,
  staff: RequestHandler,
): RequestHandler[] {
  const isOpen = isLoopback(publicUrl)
  return [staff, requireAllCompanies].map((guard) => (isOpen ? elsewhere(guard) : guard))
}

function elsewhere(guard: RequestHandler): RequestHandler {
  return (request, response, next) =>
    isFromHere(request) ? next() : guard(request, response, next)
}

function countedRoute(path: string): CountedRoute {
  if (path.startsWith('/feeds/')) return 'page'
  return path.startsWith('/api/') ? 'api' : 'other'
}
