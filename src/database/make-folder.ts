import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

import { codeOf } from '../domain/errors.ts'

/**
 * Creates the folder and those above it that are missing, for their owner only. Node's own recursive `mkdirSync` never
 * returns where a file system refuses a name as in `/proc`.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  try {
    mkdirSync(folder, 0o700)
  } catch (cause) {
    // Another process may have created it meanwhile.
    if (codeOf(cause) !== 'EEXIST') throw cause
  }
}
