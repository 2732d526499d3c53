/* The thread that decodes large lists, one after the other, and returns the records in portions. */
import { parentPort } from 'node:worker_threads'

import type { DecodingReply, DecodingRequest } from './decoding.ts'
import { type OpenList, openList, readerOf, Refused } from './records.ts'

/** Records per message: receiving them blocks the main thread, too. */
const recordsAtOnce = 400

let list: OpenList<unknown> | undefined
let given = 0

parentPort?.on('message', (request: DecodingRequest) => parentPort?.postMessage(reply(request), []))

function reply(request: DecodingRequest): DecodingReply {
  try {
    if (request !== 'more') {
      list = undefined
      given = 0
      list = openList<unknown>(request.body, readerOf(request.kind))
    }
    if (!list) throw new Error('There is no list of which there could be more.')
    const { containers, length } = list
    const records = list.decode(given, (given += recordsAtOnce))
    const isLast = given >= length
    if (isLast) list = undefined
    return { records, isLast, containers }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}
