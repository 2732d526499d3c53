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

const ownerOnly = 0o600

/** A text, or its parts, which are made as they are written. */
type Text = string | Iterable<string>

/**
 * Writes the text to the file, whole or not at all, for its owner only; a device or a pipe gets it as it is. `conflict` for a
 * symbolic link: somebody else may have laid it there. `unavailable` where it cannot be written: then what was there stays.
 */
export async function writeOutput(file: string, text: Text): Promise<void> {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) throw linkRefused(file)
    const isDevice = found !== undefined && !found.isFile() && !found.isDirectory()
    if (isDevice) writeInto(openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW), text)
    else replaceFile(file, text)
  } catch (cause) {
    throw cause instanceof AppError ? cause : cannotWrite(file, cause)
  }
}

function linkRefused(file: string): AppError {
  return new AppError(
    'conflict',
    `The file ${file} is a symbolic link, and nothing is written through one: name the file itself, or - for standard output.`,
  )
}

/**
 * The file has this text and mode 0600, whatever it had before, or is as it was: there is no time between the two. A symbolic
 * link is replaced, and what it leads to stays.
 */
export function replaceFile(file: string, text: Text): void {
  const beside = path.join(path.dirname(file), `.${randomBytes(8).toString('hex')}.partial`)
  try {
    writeNew(beside, text)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** On the disk when it returns, so that a rename never shows a file that is not. */
function writeNew(file: string, text: Text): void {
  writeInto(openSync(file, 'wx', ownerOnly), text, fsyncSync)
}

function writeInto(
  handle: number,
  text: Text,
  end: (handle: number) => void = () => undefined,
): void {
  try {
    for (const part of typeof text === 'string' ? [text] : text) writeFileSync(handle, part)
    end(handle)
  } finally {
    closeSync(handle)
  }
}
