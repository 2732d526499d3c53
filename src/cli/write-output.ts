import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

import { cannotWrite } from '../domain/errors.ts'

const ownerOnly = 0o600

/** A text, or its parts, which are made as they are written. */
type Text = string | Iterable<string>

/**
 * Writes the text to the file, whole or not at all, for its owner only; a device or a pipe gets it as it is.
 * `unavailable` where it cannot be written: then what was there stays.
 */
export async function writeOutput(file: string, text: Text): Promise<void> {
  try {
    if (isDevice(file)) writeInto(openSync(file, 'w'), text)
    else replaceFile(file, text)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

/** The file has this text and mode 0600, whatever it had before, or is as it was: there is no time between the two. */
export function replaceFile(file: string, text: Text): void {
  const target = whereLinksLead(file)
  const beside = path.join(path.dirname(target), `.${randomBytes(8).toString('hex')}.partial`)
  try {
    writeNew(beside, text)
    renameSync(beside, target)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

function isDevice(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

function whereLinksLead(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return path.resolve(file)
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
