import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll } from 'vitest'

/** Addresses of SQLite files that do not exist yet; all of them are gone after the tests of the file. */
export function temporarySqlite(): () => Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'workforce-'))
  let files = 0
  afterAll(() => rmSync(folder, { recursive: true }))
  return async () => `file:${path.join(folder, `${(files += 1)}.sqlite`)}`
}
