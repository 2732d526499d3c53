import { readFile } from 'node:fs/promises'

import { cannotRead } from '../domain/errors.ts'
import { type DecodedTable, decodeTable, decodeText } from '../feeds/import/decode-text.ts'

/** The text of a file; `invalid` where it cannot be read or is not UTF-8. */
export async function readInput(file: string): Promise<string> {
  return decodeText(await readBytes(file), `The file ${file}`)
}

/** The text of a table as spreadsheets write it; `invalid` where it cannot be read. */
export async function readTableFile(file: string): Promise<DecodedTable> {
  return decodeTable(await readBytes(file), `The file ${file}`)
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}
