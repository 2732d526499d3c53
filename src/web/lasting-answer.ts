import { hash } from 'node:crypto'

import type { RequestHandler } from 'express'

import { type Representation, sendRepresentation } from './conditional-request.ts'
import { LastingBody } from './lasting-body.ts'

/** What is the same for everybody as long as the program runs. */
export interface LastingAnswer {
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called once, when it is first asked for. */
  readonly make: () => string
}

/** Answers with what was made once, compressed once per coding; whoever has it is told that it stands. */
export function serveLasting({ type, headers = {}, make }: LastingAnswer): RequestHandler {
  let made: Representation | undefined
  return async (request, response) => {
    made ??= represent(type, make())
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.setHeader('Cache-Control', 'no-cache')
    response.vary('Accept-Encoding')
    await sendRepresentation(request, response, made)
  }
}

/** The weak entity tag is one for every content coding (RFC 9110 section 8.8.3). */
function represent(type: string, text: string): Representation {
  const etag = `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`
  return { type, validators: { etag }, body: new LastingBody(Buffer.from(text)) }
}
