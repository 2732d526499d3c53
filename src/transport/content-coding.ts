import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'

import { requestFault } from './request-fault.ts'

/** What we can read (RFC 9110 section 12.5.3). */
export const ACCEPT_ENCODING = 'gzip, br, deflate'

type Decode = (body: Buffer, options: ZlibOptions) => Promise<Buffer>

const decodeGzip = promisify<Buffer, ZlibOptions, Buffer>(gunzip)
const decodeBrotli = promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)
const decodeZlib = promisify<Buffer, ZlibOptions, Buffer>(inflate)
const decodeBareDeflate = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw)

const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  ['br', decodeBrotli],
  ['deflate', decodeDeflate],
])

const CODINGS_MAX = 2

/** The body without its codings (RFC 9110 section 8.4); `upstream_invalid` for one that cannot be undone, or beyond `bytesMax`. */
export async function decodeContent(
  body: Buffer,
  contentEncoding: string,
  { url, bytesMax }: { url: URL; bytesMax: number },
): Promise<Buffer> {
  const decoders = codings(contentEncoding).map((coding) => DECODERS.get(coding))
  if (decoders.length > CODINGS_MAX || decoders.includes(undefined)) {
    const says = 'answered in a content coding that it was not asked for'
    throw requestFault('upstream_invalid', url, says)
  }
  try {
    return await decoders.reduce<Promise<Buffer>>(
      async (decoded, decode) =>
        decode ? decode(await decoded, { maxOutputLength: bytesMax }) : decoded,
      Promise.resolve(body),
    )
  } catch (error) {
    throw requestFault('upstream_invalid', url, saysOf(error, bytesMax))
  }
}

/** Last applied first. */
function codings(contentEncoding: string): readonly string[] {
  return contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .toReversed()
}

// "deflate" is the zlib format, but some servers send the bare one (RFC 9110 section 8.4.1.2).
function decodeDeflate(body: Buffer, options: ZlibOptions): Promise<Buffer> {
  const isZlib = ((body[0] ?? 0) & 0x0f) === 8
  return isZlib ? decodeZlib(body, options) : decodeBareDeflate(body, options)
}

function saysOf(error: unknown, bytesMax: number): string {
  const isTooLarge = error instanceof RangeError
  return isTooLarge
    ? `answered more than ${bytesMax} bytes, once decompressed`
    : 'answered a body that cannot be decompressed'
}
