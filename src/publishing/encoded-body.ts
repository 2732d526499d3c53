import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip, zstdCompress } from 'node:zlib'

/** RFC 9110 section 8.4.1 content codings that a body is served in. */
export type ContentCoding = 'gzip' | 'br' | 'zstd' | 'identity'

const gunzipAsync = promisify(gunzip)
const compress = {
  gzip: promisify(gzip),
  br: (bytes: Uint8Array): Promise<Buffer> =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: promisify(zstdCompress),
} as const

/** A text as it is kept in memory: compressed once per coding, not per request. */
export class EncodedBody {
  readonly #gzipped: Buffer
  readonly #others = new Map<ContentCoding, Buffer>()

  private constructor(gzipped: Buffer) {
    this.#gzipped = gzipped
  }

  static async of(text: string): Promise<EncodedBody> {
    return new EncodedBody(await compress.gzip(Buffer.from(text)))
  }

  /** What it weighs in memory while only the commonest coding was asked for. */
  get bytes(): number {
    return this.#gzipped.length
  }

  /** The bytes in that coding. */
  async in(coding: ContentCoding): Promise<Buffer> {
    if (coding === 'gzip') return this.#gzipped
    const kept = this.#others.get(coding)
    if (kept) return kept
    const identity = await gunzipAsync(this.#gzipped)
    if (coding === 'identity') return identity
    const encoded = await compress[coding](identity)
    this.#others.set(coding, encoded)
    return encoded
  }
}
