import type { RequestHandler } from 'express'

import { AppError } from '../../domain/errors.ts'
import { refuseDeep, bodyOf, singleBytesMax } from '../../web/request-body.ts'

/** As an imported file may be. */
const depthMax = 500
/** RFC 8259 section 8.1: what systems exchange is UTF-8. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body; `unsupported_media_type` for one that does not say that it is JSON, as a page of another site cannot without asking. */
export const readBody: RequestHandler = async (request, _response, next) => {
  if (!/^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    const message = 'The body has to be JSON: Content-Type: application/json.'
    throw new AppError('unsupported_media_type', message)
  }
  request.body = refuseDeep(parse(await bodyOf(request, singleBytesMax)), depthMax)
  next()
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw new AppError('invalid', 'The body is not valid JSON.', { cause })
  }
}
