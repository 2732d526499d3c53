/* Readiness and metrics for operators and their monitoring. */
import { setTimeout } from 'node:timers/promises'

import type { RequestHandler } from 'express'

import { isFromHere, isLoopback } from '../web/loopback.ts'
import { nothingHere } from '../web/problem.ts'
import { requireAllCompanies } from './authentication.ts'
import { type AnswerMetrics } from './http-deps.ts'

const readyWithinMs = 2000

/** `GET /readyz`: whether the database responds in time and is writable; otherwise the reason. */
export function showReadiness(whyNotReady: () => Promise<string | null>): RequestHandler {
  return async (_, response) => {
    const reason = await reasonInTime(whyNotReady)
    response
      .status(reason === null ? 200 : 503)
      .type('text/plain')
      .send(reason === null ? 'ready\n' : `not ready: ${reason}\n`)
  }
}

/** Why the database cannot be used; null if it responds in time and is writable. */
export async function reasonInTime(
  whyNotReady: () => Promise<string | null>,
  withinMs = readyWithinMs,
): Promise<string | null> {
  const inTime = new AbortController()
  const late = 'The database does not answer in time.'
  const reason = await Promise.race([
    whyNotReady(),
    setTimeout(withinMs, late, { signal: inTime.signal }).catch(() => late),
  ])
  inTime.abort()
  return reason
}

/** `GET /healthz/{instance}`: lets a command tell this process from another one that now has its port. */
export function showInstance(instance: string): RequestHandler<{ instance: string }> {
  return ({ params }, response) => {
    if (params.instance !== instance) throw nothingHere()
    response.status(204).end()
  }
}

/** Counts the responses of all later routes. */
export function countAnswers(metrics: AnswerMetrics): RequestHandler {
  return ({ path }, response, next) => {
    const begun = performance.now()
    const other = path.startsWith('/api/') ? 'api' : 'other'
    const route = path.startsWith('/feeds/') ? 'page' : other
    response.once('finish', () => {
      metrics.countAnswer(route, response.statusCode, (performance.now() - begun) / 1000)
    })
    next()
  }
}

/** `GET /metrics`. */
export function showMetrics(metrics: AnswerMetrics): RequestHandler {
  return async (_request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.type(metrics.contentType).send(await metrics.render())
  }
}

/** Metrics are open to requests from this machine if only it can reach the server; otherwise they need staff of all companies. */
export function guardMetrics(publicUrl: string, staff: RequestHandler): RequestHandler[] {
  const isOpen = isLoopback(publicUrl)
  return [staff, requireAllCompanies].map((guard) => (request, response, next) => {
    return isOpen && isFromHere(request) ? next() : guard(request, response, next)
  })
}
