import { setImmediate as turn } from 'node:timers/promises'

import type { RequestHandler, Response } from 'express'

import { tableBytesMax } from '../../feeds/bulk/read-table.ts'
import type { FeedChangeLine } from '../../feeds/bulk/requested-changes.ts'
import { bareSchema, parseQuery } from '../../feeds/feed-input.ts'
import { bodyOf } from '../../web/request-body.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { parseWithIds, requireJson } from './input.ts'
import type { TablePlaces } from './table-places.ts'

export const linesType = 'application/x-ndjson'

/** `POST /api/feed-changes`: one change of many feeds, with a line for each once it is stored. */
export function changeFeeds(deps: HttpDeps, places: TablePlaces): RequestHandler {
  return async (request, response) => {
    const by = staffOf(response)
    parseQuery(bareSchema, request.query)
    requireJson(request)
    let free: (() => void) | undefined
    let lines: AsyncGenerator<FeedChangeLine>
    try {
      const bytes = await bodyOf(request, tableBytesMax, async () => {
        free = await places.take(by.companyId)
      })
      const { requestedChanges } = deps.administrationBy(by)
      lines = await requestedChanges.begin(parseWithIds(bytes), request.get('Idempotency-Key'))
    } finally {
      // Only a large body takes much memory; the changes do not.
      free?.()
    }
    const sent = { isWhole: false, count: 0 }
    try {
      await sendLines(response, lines, sent)
    } finally {
      // The audit log says what is done.
      if (!sent.isWhole) {
        deps.log.warn({ feeds: sent.count, actor: by.actor }, 'feed_changes_stopped')
      }
    }
  }
}

/** Sends each line at once and counts it in `sent`; reads no further line once the connection is lost. */
async function sendLines(
  response: Response,
  lines: AsyncGenerator<FeedChangeLine>,
  sent: { isWhole: boolean; count: number },
): Promise<void> {
  response.status(200).type(linesType)
  // The first change may take a while.
  response.flushHeaders()
  for await (const line of lines) {
    sent.count += 1
    if (!response.closed && !response.write(`${JSON.stringify(line)}\n`)) await drained(response)
    // SQLite answers at once: without a pause, a lost connection would not be noticed.
    await turn()
    if (response.closed) break
  }
  sent.isWhole = !response.closed
  response.end()
}

/** Resolves once the client has read enough, or is gone. */
async function drained(response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.once('drain', resolve).once('close', resolve)
  await promise
  response.off('drain', resolve).off('close', resolve)
}
