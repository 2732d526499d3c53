import { readFile } from 'node:fs/promises'

import { AppError } from '../domain/errors.ts'

/** The text of a file; `invalid` where it cannot be read. */
export async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new AppError('invalid', `The file ${file} cannot be read.`, { cause })
  }
}
