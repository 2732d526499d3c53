import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'

import { cannotRead } from '../domain/errors.ts'
import { type DecodedTable, decodeTable } from '../feeds/import/decode-text.ts'
import { tableBytesMax } from '../feeds/import/table-refusals.ts'

/** The text of a table as spreadsheets write it; `invalid` where it cannot be read, `too_large` beyond what the API takes. */
export async function readTableFile(file: string): Promise<DecodedTable> {
  return decodeTable(await readBegin(file), `The file ${file}`)
}

/** One byte more than a table has: that tells a larger one, be it endless. */
async function readBegin(file: string): Promise<Uint8Array> {
  try {
    return await buffer(createReadStream(file, { end: tableBytesMax }))
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}
