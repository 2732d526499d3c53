import { writeFile } from 'node:fs/promises'

import { AppError } from '../domain/errors.ts'

/** Writes the text to the file; `unavailable` where it cannot be written. */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (cause) {
    throw new AppError('unavailable', `The file ${file} cannot be written.`, { cause })
  }
}
