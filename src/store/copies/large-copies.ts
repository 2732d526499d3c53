/* The records of large copies, packed and unpacked beside everything else. */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'

import { bytesOfList } from '../../json/list-text.ts'
import { outlineOf } from '../../json/outline.ts'
import { inSteps } from '../../json/rest.ts'
import { elementsOf } from '../../json/values.ts'

const compress = promisify<Buffer, Buffer>(zstdCompress)
const decompress = promisify<Uint8Array, Buffer>(zstdDecompress)

/** A list, and how many bytes its JSON has. */
export interface UnpackedList {
  readonly elements: readonly unknown[]
  readonly bytes: number
}

/** The list's JSON, compressed. */
export async function packLarge(records: readonly unknown[]): Promise<Uint8Array> {
  return compress(await inSteps(bytesOfList(records)))
}

/** One after the other, so that several together need no more memory than one. */
export class LargeCopies {
  #last: Promise<unknown> = Promise.resolve()

  /** The list that was packed. */
  unpack(packed: Uint8Array): Promise<UnpackedList> {
    const unpacked = this.#last.then(async () => inSteps(elementsIn(await decompress(packed))))
    this.#last = unpacked.catch(() => undefined)
    return unpacked
  }
}

function* elementsIn(bytes: Uint8Array): Generator<unknown, UnpackedList> {
  const outline = yield* outlineOf(bytes)
  if (outline?.is !== 'list') throw new Error('The records of a copy are no list.')
  const elements: unknown[] = []
  for (const some of elementsOf(bytes, outline)) yield elements.push(...some)
  return { elements, bytes: bytes.length }
}
