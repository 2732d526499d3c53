import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'

import type { Response } from 'express'

import { codeOf } from '../../domain/errors.ts'
import { writeCsv, writeLines } from '../../feeds/bulk/write-table.ts'

type Rows = readonly (readonly string[])[]

/** Sends a table for spreadsheets while it is read. A browser that goes away ends the reading. */
export async function sendTable(
  response: Response,
  name: string,
  header: readonly string[],
  parts: AsyncIterable<Rows>,
): Promise<void> {
  response.type('text/csv').attachment(name)
  const lines = Readable.from(linesOf(header, parts), { highWaterMark: 1 })
  await pipeline(lines, response).catch((error: unknown) => {
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

async function* linesOf(
  header: readonly string[],
  parts: AsyncIterable<Rows>,
): AsyncGenerator<string> {
  yield writeCsv(header, [], 'excel')
  for await (const rows of parts) {
    yield writeLines(rows, 'excel')
    // SQLite answers at once, and so does a fast browser: without a pause, other requests would wait.
    await turn()
  }
}
