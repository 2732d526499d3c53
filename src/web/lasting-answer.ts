import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

import type { RequestHandler } from 'express'

import {
  type CodedBody,
  type ContentCoding,
  type Representation,
  sendRepresentation,
} from './conditional-request.ts'

/** Bytes that stay as long as the program runs, compressed once per coding, when it is first asked for. */
export class LastingBody implements CodedBody {
  readonly #bytes: Buffer
  readonly #encoded = new Map<ContentCoding, Promise<Buffer>>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  in(coding: ContentCoding): Promise<Buffer> {
    const encoded = this.#encoded.get(coding) ?? encode(this.#bytes, coding)
    this.#encoded.set(coding, encoded)
    return encoded
  }
}

async function encode(bytes: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'identity') return bytes
  if (coding === 'gzip') return promisify(gzip)(bytes)
  if (coding === 'zstd') return promisify(zstdCompress)(bytes)
  // The highest levels gain 9 % more and take twenty times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return promisify(brotliCompress)(bytes, { params })
}

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
