import { NotJson, Scan, type ScanListener } from './scan.ts'

/** Where something stands in a text, both counted from 1 as editors do. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

const nobody: ScanListener = { onKey: () => {}, onBegin: () => {}, onEnd: () => {} }

/** Where a text stops being JSON; undefined where it is JSON. `JSON.parse` tells it of some faults only, and repeats what stands there. */
export function firstFault(text: string): TextPlace | undefined {
  const bytes = Buffer.from(text)
  const scan = new Scan(bytes, nobody)
  try {
    while (scan.step());
    return undefined
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return placeAt(bytes, scan.at)
  }
}

const feed = 0x0a
const carriage = 0x0d

/** Of that byte of a text in UTF-8, however long it is. */
function placeAt(bytes: Uint8Array, at: number): TextPlace {
  let line = 1
  let begin = 0
  for (let index = 0; index < at; index += 1) {
    const byte = bytes[index]
    const isOfPair = byte === carriage && bytes[index + 1] === feed && index + 1 < at
    if ((byte !== feed && byte !== carriage) || isOfPair) continue
    line += 1
    begin = index + 1
  }
  return { line, column: charactersOf(bytes.subarray(begin, at)) + 1 }
}

/** Each but its first byte begins with the bits 10 (RFC 3629 section 3). */
function charactersOf(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => ((byte & 0xc0) === 0x80 ? count : count + 1), 0)
}
