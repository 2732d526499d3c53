import { AppError } from '../../domain/errors.ts'

/** 1 GiB: places are counted in 32 bits, and all stands in memory. */
const fileBytesMax = 2 ** 30
const bytesAtFirst = 2 ** 20

/** All bytes that come, of what sentences call `name`; `too_large` as soon as they are more than 1 GiB, be they endless. */
export async function readBytes(
  source: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax = fileBytesMax,
): Promise<Uint8Array> {
  let bytes: Uint8Array = Buffer.allocUnsafe(bytesAtFirst)
  let length = 0
  for await (const part of source) {
    if (length + part.length > bytesMax) {
      throw new AppError('too_large', `${name} is larger than 1 GiB, which no company file may be.`)
    }
    bytes = withRoom(bytes, length, length + part.length)
    bytes.set(part, length)
    length += part.length
  }
  return bytes.subarray(0, length)
}

function withRoom(bytes: Uint8Array, filled: number, needed: number): Uint8Array {
  if (needed <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length))
  larger.set(bytes.subarray(0, filled))
  return larger
}
