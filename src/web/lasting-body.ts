import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

import type { CodedBody, ContentCoding } from './conditional-request.ts'

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
