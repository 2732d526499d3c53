import type { RequestHandler } from 'express'

import { type FeedLink, linkName } from '../domain/link.ts'
import { nothingHere } from '../web/not-found.ts'
import type { RequestLimit } from '../web/request-limit.ts'
import { unknownCalendar } from './not-found.ts'

const urlLengthMax = 2048

/**
 * How many requests a minute each link, and each address that asks for unknown tokens, may make of this node. Links are
 * not limited by address: all of Google's requests come from few.
 */
export interface Limits {
  readonly polls: RequestLimit
  readonly unknownTokens: RequestLimit
}

/** Counts one request of the link; `too_many_requests` where it is asked for beyond its limit. */
export function takePoll({ polls }: Pick<Limits, 'polls'>, link: FeedLink): void {
  polls.take(linkName(link))
}

/** Answers 404 to an address that is longer than any of ours. */
export const limitUrl: RequestHandler = (request, _response, next) => {
  if (request.url.length <= urlLengthMax) return next()
  throw request.path.startsWith('/feeds/') ? unknownCalendar() : nothingHere()
}
