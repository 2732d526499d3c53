import { setImmediate as turn } from 'node:timers/promises'

import type { Request, RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'

/* Bodies of requests: never more bytes of them in memory than there is room for. */

/** Of a body that is one thing; a larger one is a table or a list. */
export const singleBytesMax = 256 * 1024

/** What is in a larger one takes its time to be looked at. */
const smallBytesMax = 16 * 1024
/** Of the event loop. */
let lastTurn: Promise<unknown> = Promise.resolve()

/** Reads a body of at most `singleBytesMax` into `request.body`, as bytes. */
export const readBody: RequestHandler = async (request, _response, next) => {
  request.body = await bodyOf(request, singleBytesMax)
  next()
}

/**
 * The bytes of the body; `too_large` as soon as there are too many: nobody waits for the rest. `onLarge`, called once there are
 * more than `singleBytesMax`, may have the rest wait, or refuse it. However many come at once, all but small ones are handed on
 * one at a time, so that others are answered between them.
 */
export async function bodyOf(
  request: Request,
  bytesMax: number,
  onLarge: () => Promise<void> = () => Promise.resolve(),
): Promise<Uint8Array> {
  refuseByHead(request, bytesMax)
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of request.iterator({ destroyOnReturn: false })) {
      const before = length
      length += part.length
      if (length > bytesMax) throw tooLarge(bytesMax)
      if (length > singleBytesMax && before <= singleBytesMax) await onLarge()
      parts.push(part)
    }
  } catch (cause) {
    // What still comes is read and thrown away, so that the client hears the answer.
    request.resume()
    throw cause instanceof AppError ? cause : unreadable(cause)
  }
  if (length > smallBytesMax) await (lastTurn = lastTurn.then(() => turn()))
  return Buffer.concat(parts, length)
}

function refuseByHead({ headers }: Request, bytesMax: number): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    const message = 'The body must not be compressed (Content-Encoding).'
    throw new AppError('unsupported_media_type', message)
  }
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('too_large', `The body is too large: at most ${bytesMax} bytes.`)
}

function unreadable(cause: unknown): AppError {
  return new AppError('invalid', 'The body cannot be read to its end.', { cause })
}

/** The body, unless it is nested deeper than anything that is asked for, which would end recursion elsewhere: `invalid` then. */
export function refuseDeep(body: unknown, depthMax: number): unknown {
  let level: unknown[] = [body]
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  if (level.length === 0) return body
  throw tooDeep(depthMax)
}

/** `invalid` for a body that is nested deeper. */
function tooDeep(depthMax: number): AppError {
  return new AppError('invalid', `The body is nested more than ${depthMax} deep.`)
}
