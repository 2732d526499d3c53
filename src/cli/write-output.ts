import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

import { AppError, cannotWrite } from '../domain/errors.ts'

/** A text, or its parts, which are made as they are written. */
type Text = string | Iterable<string>

/**
 * Writes the text to the file, whole or not at all, readable by its owner only; a device or a pipe gets it unchanged. `conflict`
 * for a symbolic link: somebody else may have laid it there. `unavailable` if it cannot be written; what was there stays.
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
    if (isDevice) writeInto(openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW), text)
    else replaceFile(file, text)
  } catch (cause) {
    throw cause instanceof AppError ? cause : cannotWrite(file, cause)
  }
}

/** Replaces the file, or a symbolic link itself, in one step; its mode is 0600 whatever it was before. */
export function replaceFile(file: string, text: Text): void {
  const beside = path.join(path.dirname(file), `.${randomBytes(8).toString('hex')}.partial`)
  try {
    // Synced first: a rename must never show a file that is not on the disk.
    writeInto(openSync(beside, 'wx', 0o600), text, fsyncSync)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

function writeInto(handle: number, text: Text, sync?: (handle: number) => void): void {
  try {
    for (const part of typeof text === 'string' ? [text] : text) writeFileSync(handle, part)
    sync?.(handle)
  } finally {
    closeSync(handle)
  }
}
