import type { Request, Response } from 'express'

import type { ActivityRecorder } from '../activity/activity-recorder.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { type Limits, takePoll } from './limits.ts'
import type { AnswerMetrics } from './metrics-route.ts'

export interface PollDeps {
  readonly limits: Limits
  readonly recorder: Pick<ActivityRecorder, 'note'>
  readonly metrics: Pick<AnswerMetrics, 'countAnswer'>
}

/**
 * Notes a calendar client's request once it is answered. Gives what its link is told to as soon as it is known:
 * `too_many_requests` where the link is asked for beyond its limit.
 */
export function followPoll(
  { limits, recorder, metrics }: PollDeps,
  request: Request<{ token: string; name: string }>,
  response: Response,
): (link: FeedLink) => void {
  const route = request.path.endsWith('.json') ? 'events' : 'calendar'
  const begun = performance.now()
  let polled: FeedLink | undefined
  response.once('finish', () => {
    metrics.countAnswer(route, response.statusCode, (performance.now() - begun) / 1000)
    if (!polled) return
    recorder.note({
      link: polled,
      userAgent: request.headers['user-agent'],
      status: response.statusCode,
      hasChangeOf: changeGiven(request, response),
    })
  })
  return (link) => {
    polled = link
    takePoll(limits, link)
  }
}

/** A client has the calendar by a body, or by being told that it has it already; HEAD gives none. */
function changeGiven({ method }: { method: string }, response: Response): Instant | null {
  const { statusCode } = response
  const has = statusCode === 304 || (statusCode === 200 && method === 'GET')
  const lastModified = has ? response.getHeader('Last-Modified') : undefined
  return typeof lastModified === 'string' ? Date.parse(lastModified) : null
}
