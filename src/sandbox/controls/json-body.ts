import express, { type RequestHandler } from 'express'

import { AppError } from '../../domain/errors.ts'
import { refuseDeep } from '../../web/nesting.ts'

const bodyBytesMax = 1_048_576
/** As an imported file may be. */
const depthMax = 500
const readBytes = express.raw({ limit: bodyBytesMax, type: () => true })
/** RFC 8259 section 8.1: what systems exchange is UTF-8. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body; `unsupported_media_type` for one that does not say that it is JSON, as a page of another site cannot without asking. */
export const readBody: RequestHandler = async (request, response, next) => {
  if (!/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    const message = 'The body has to be JSON: Content-Type: application/json.'
    throw new AppError('unsupported_media_type', message)
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  readBytes(request, response, (error?: unknown) =>
    error === undefined ? resolve() : reject(asBodyError(error)),
  )
  await promise
  const bytes: unknown = request.body
  request.body = refuseDeep(parse(bytes instanceof Uint8Array ? bytes : new Uint8Array()), depthMax)
  next()
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new AppError('invalid', 'The body is not valid JSON.', { cause })
  }
}

/** What the body parser finds wrong, in our words. */
function asBodyError(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error
  if (error.status === 413) {
    return new AppError('too_large', `The body is too large: at most ${bodyBytesMax} bytes.`)
  }
  if (error.status === 415) {
    return new AppError('unsupported_media_type', 'The body is in a coding that is not read here.')
  }
  const isOurs = Number(error.status) >= 500
  return isOurs ? error : new AppError('invalid', 'The body cannot be read.')
}
