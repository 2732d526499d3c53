import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

import { cannotRead } from '../domain/errors.ts'
import { type DecodedTable, decodeTable, decodeText } from '../feeds/import/decode-text.ts'
import { tableBytesMax } from '../feeds/import/table-refusals.ts'

/** The text of a file; `invalid` where it cannot be read or is not UTF-8. */
export async function readInput(file: string): Promise<string> {
  return decodeText(await readBytes(file, readFile), `The file ${file}`)
}

/** The text of a table as spreadsheets write it; `invalid` where it cannot be read, `too_large` beyond what the API takes. */
export async function readTableFile(file: string): Promise<DecodedTable> {
  return decodeTable(await readBytes(file, readBegin), `The file ${file}`)
}

/** One byte more than a table has: that tells a larger one, be it endless. */
function readBegin(file: string): Promise<Uint8Array> {
  return buffer(createReadStream(file, { end: tableBytesMax }))
}

async function readBytes(
  file: string,
  read: (file: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  try {
    return await read(file)
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}
