import type { RequestHandler } from 'express'
import type { z } from 'zod'

import { AppError, type InputFault, pointerTo } from '../../domain/errors.ts'
import { refuseDeep, bodyOf, singleBytesMax } from '../../web/request-body.ts'

/** `invalid`: the first fault of a body in the sentence, and all faults by pointer. */
export function refuseInput(what: string, faults: readonly InputFault[]): AppError {
  const [first = ''] = faults.map(({ pointer, detail }) => `${pointer || 'the body'}: ${detail}`)
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const said = `${what}: ${first.replace(/\.$/, '')}${others}`
  return new AppError('invalid', said.endsWith('?') ? said : `${said}.`, { faults })
}

/** A fault for each thing that a schema finds wrong; of members that are not known one each, at their own place. */
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
