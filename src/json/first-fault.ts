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
    return placeAt(bytes.toString('utf8', 0, scan.at))
  }
}

/** Of what follows that text. */
function placeAt(text: string): TextPlace {
  const lines = text.split(/\r\n|[\r\n]/)
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 }
}
