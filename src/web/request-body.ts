/* Bodies of requests: never more bytes in memory than there is room for. */
import { setImmediate as turn } from 'node:timers/promises'

import type { Request, RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'

/** A larger body is a table or a list. */
export const singleBytesMax = 256 * 1024

/** A larger body takes noticeable time to process. */
const smallBytesMax = 16 * 1024
/** Of the event loop. */
let lastTurn: Promise<unknown> = Promise.resolve()

/** Reads a body of at most `singleBytesMax` into `request.body`, as bytes. */
export const readBody: RequestHandler = async (request, _response, next) => {
  request.body = await bodyOf(request, singleBytesMax)
  next()
}

/**
 * The bytes of the body; `too_large` as soon as there are too many, without waiting for the rest. `onLarge`, called once there are
 * more than `singleBytesMax`, may make the rest wait, or refuse it. All but small bodies are handed on one at a time, so that
 * other requests are answered between them.
 */
export async function bodyOf(
  request: Request,
  bytesMax: number,
  onLarge: () => Promise<void> = () => Promise.resolve(),
): Promise<Uint8Array> {
  const { 'content-encoding': coding = 'identity', 'content-length': declared = 0 } =
    request.headers
  if (coding.toLowerCase() !== 'identity') {
    const message = 'The body must not be compressed (Content-Encoding).'
    throw new AppError('unsupported_media_type', message)
  }
  if (Number(declared) > bytesMax) throw tooLarge(bytesMax)
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
    // The rest is read and thrown away, so that the client receives the answer.
    request.resume()
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid', 'The body ended early.', { cause })
  }
  if (length > smallBytesMax) await (lastTurn = lastTurn.then(() => turn()))
  return Buffer.concat(parts, length)
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('too_large', `The body is too large: at most ${bytesMax} bytes.`)
}

/** Gives the body, unless it is nested too deep (`invalid`), which would overflow recursion elsewhere. */
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
