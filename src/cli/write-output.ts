import { randomBytes } from 'node:crypto'
import { constants, lstatSync, promises } from 'node:fs'
import path from 'node:path'

import { AppError, cannotWrite } from '../domain/errors.ts'

/** A text, or parts that are created while writing. */
type Text = string | Iterable<string>

/**
 * Writes a file completely or not at all, readable only by its owner; a device or pipe gets the text unchanged. Fails with
 * `conflict` for a symbolic link, which another person may have put there. Fails with `unavailable` if it cannot be
 * written; the former content stays.
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

/** Replaces the file, or a symbolic link itself, in one step; the mode is always 0600. */
export async function replaceFile(file: string, text: Text): Promise<void> {
  const beside = path.join(path.dirname(file), `.${randomBytes(8).toString('hex')}.partial`)
  try {
    // Flushed first: after the rename, the content must be on disk.
    await promises.writeFile(beside, text, { flag: 'wx', mode: 0o600, flush: true })
    await promises.rename(beside, file)
  } catch (error) {
    await promises.rm(beside, { force: true })
    throw error
  }
}
