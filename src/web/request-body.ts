/* Request bodies, with a limit on the bytes in memory. */
import { setImmediate as turn } from 'node:timers/promises'

import type { Request, RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'

/** A larger body is a table or a list. */
export const singleBytesMax = 256 * 1024

/** A larger body takes noticeable time to process. */
const smallBytesMax = 16 * 1024
/** Last turn of the event loop that a body waits for. */
let lastTurn: Promise<unknown> = Promise.resolve()

/** Reads a body of at most `singleBytesMax` into `request.body`, as bytes. */
export const readBody: RequestHandler = async (request, _response, next) => {
  request.body = await bodyOf(request, singleBytesMax)
  next()
}

/**
 * Returns the bytes of the body; fails with `too_large` as soon as there are too many, without waiting for the rest.
 * `onLarge` is called once there are more than `singleBytesMax`; it may delay or refuse the rest. All but small bodies are
 * returned one at a time, so that other requests are handled in between.
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
    // The rest is read and discarded, so that the client receives the response.
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

/** Returns the body; fails with `invalid` if it is nested too deeply, which would overflow recursion elsewhere. */
export function refuseDeep(body: unknown, depthMax: number): unknown {
  let level: unknown[] = [body]
  for (let depth = 0; depth < depthMax && level.length > 0; depth += 1) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  if (level.length === 0) return body
  throw new AppError('invalid', `The body is nested more than ${depthMax} deep.`)
}
