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

import { AppError } from '../domain/errors.ts'

const ownerOnly = 0o600

/** What a system's codes of errors mean for a file that is to be written. */
const reasons = new Map([
  ['ENOENT', 'there is no such folder'],
  ['ENOTDIR', 'there is no such folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'that is not allowed'],
  ['EPERM', 'that is not allowed'],
  ['EROFS', 'nothing can be written there'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['ENAMETOOLONG', 'the name is too long'],
])

/**
 * Writes the text to the file, whole or not at all, for its owner only; a device or a pipe gets it as it is.
 * `unavailable` where it cannot be written: then what was there stays.
 */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    if (isDevice(file)) writeFileSync(file, text)
    else replaceFile(file, text)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

/** The sentence for a file that could not be written. */
export function cannotWrite(file: string, cause: unknown): AppError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const reason = reasons.get(code)
  const why = reason === undefined ? '' : `: ${reason}`
  return new AppError('unavailable', `The file ${file} cannot be written${why}.`, { cause })
}

/** The file has this text and mode 0600, whatever it had before, or is as it was: there is no time between the two. */
export function replaceFile(file: string, text: string): void {
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
function writeNew(file: string, text: string): void {
  const handle = openSync(file, 'wx', ownerOnly)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
