import type { RequestHandler } from 'express'

import { EncodedBody, weakTag } from '../publishing/publication.ts'
import { type Representation, sendRepresentation } from '../web/conditional-request.ts'

/** What is the same for everybody as long as the program runs. */
interface LastingAnswer {
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called once, when it is first asked for. */
  readonly make: () => string
}

/** Answers with what was made once, compressed once per coding; whoever has it is told that it stands. */
export function serveLasting({ type, headers = {}, make }: LastingAnswer): RequestHandler {
  let made: Promise<Representation> | undefined
  return async (request, response) => {
    made ??= represent(type, make())
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.setHeader('Cache-Control', 'no-cache')
    response.vary('Accept-Encoding')
    await sendRepresentation(request, response, await made)
  }
}

async function represent(type: string, text: string): Promise<Representation> {
  return { type, validators: { etag: weakTag(text) }, body: await EncodedBody.of(text) }
}
