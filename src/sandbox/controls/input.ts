import type { RequestHandler } from 'express'
import type { z } from 'zod'

import { AppError, type InputFault, pointerTo } from '../../domain/errors.ts'
import { refuseDeep, bodyOf, singleBytesMax } from '../../web/request-body.ts'

/** Returns an `invalid` error: its message has the first fault, `faults` all of them by JSON pointer. */
export function refuseInput(what: string, faults: readonly InputFault[]): AppError {
  const [first = ''] = faults.map(({ pointer, detail }) => `${pointer || 'the body'}: ${detail}`)
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const said = `${what}: ${first.replace(/\.$/, '')}${others}`
  return new AppError('invalid', said.endsWith('?') ? said : `${said}.`, { faults })
}

/** Returns one fault for each issue, and one for each unknown member at its own pointer. */
export function faultsOf({ issues }: z.ZodError): readonly InputFault[] {
  return issues.flatMap((issue) => {
    const { path, message } = issue
    if (issue.code !== 'unrecognized_keys') return { pointer: pointerTo(path), detail: message }
    const lines = message.split('\n')
    return issue.keys.map((key, index) => ({
      pointer: pointerTo([...path, key]),
      detail: lines[index] ?? 'must not be there',
    }))
  })
}

/** The same limit as for imported files. */
const depthMax = 500
/** RFC 8259 section 8.1: JSON exchanged between systems must be UTF-8. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body. Fails with `unsupported_media_type` for any other content type: pages of other sites can send those
 * without a CORS preflight.
 */
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
