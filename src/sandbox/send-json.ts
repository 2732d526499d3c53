import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import type { Request, Response } from 'express'

import { streamedCodingFor } from '../web/conditional-request.ts'

/** Fast, and small enough for what is asked for once. */
const gzipLevel = 1

/** Sends a JSON text part by part, as fast as it is read; a client sees an answer that fails half-way end without its end. */
export async function sendJson(
  { method, headers }: Request,
  response: Response,
  body: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const primed = await begun(body)
  response.vary('Accept-Encoding').type('application/json')
  const isCompressed = streamedCodingFor(headers['accept-encoding']) === 'gzip'
  if (isCompressed) response.setHeader('Content-Encoding', 'gzip')
  if (method === 'HEAD') {
    response.end()
    return
  }
  const source = Readable.from(primed, { highWaterMark: 1 })
  const sent = isCompressed
    ? pipeline(source, createGzip({ level: gzipLevel }), response)
    : pipeline(source, response)
  await sent.catch((error: unknown) => {
    if (!isGone(error)) throw error
  })
}

/** What Node says of a client that does not wait for the end. */
const goneCodes: ReadonlySet<unknown> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
])

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && goneCodes.has(error.code)
}

/** What fails before anything of it is there fails now, and can be answered. */
async function begun(
  body: AsyncIterable<string> | Iterable<string>,
): Promise<AsyncIterable<string>> {
  const parts = (async function* all() {
    yield* body
  })()
  const first = await parts.next()
  return (async function* again() {
    if (first.done !== true) yield first.value
    yield* parts
  })()
}
