import { randomBytes } from 'node:crypto'
import { constants, lstatSync, promises } from 'node:fs'
import path from 'node:path'

import { AppError, cannotWrite } from '../domain/errors.ts'

/** A text, or its parts, which are made as they are written. */
type Text = string | Iterable<string>

/**
 * Writes the text to the file, whole or not at all, readable by its owner only; a device or a pipe gets it unchanged. `conflict`
 * for a symbolic link: another person may have put it there. `unavailable` if it cannot be written; what was there stays.
 */
export async function writeOutput(file: string, text: Text): Promise<void> {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) {
      throw new AppError(
        'conflict',
        `The file ${file} is a symbolic link, and links are not followed: name the file itself, or - for standard output.`,
      )
    }
    const isDevice = found !== undefined && !found.isFile() && !found.isDirectory()
    const existing = constants.O_WRONLY | constants.O_NOFOLLOW
    await (isDevice ? promises.writeFile(file, text, { flag: existing }) : replaceFile(file, text))
  } catch (cause) {
    throw cause instanceof AppError ? cause : cannotWrite(file, cause)
  }
}

/** Replaces the file, or a symbolic link itself, in one step; its mode is 0600 whatever it was before. */
export async function replaceFile(file: string, text: Text): Promise<void> {
  const beside = path.join(path.dirname(file), `.${randomBytes(8).toString('hex')}.partial`)
  try {
    // Flushed first: a rename must never show a file that is not on the disk.
    await promises.writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true })
    await promises.rename(beside, file)
  } catch (error) {
    await promises.rm(beside, { force: true })
    throw error
  }
}
