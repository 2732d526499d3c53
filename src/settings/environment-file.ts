import { parseEnv } from 'node:util'

import { AppError } from '../domain/errors.ts'
import type { Environment } from './environment.ts'
import type { ReadFile } from './secret-files.ts'

/** What a file that is there is not read for, by the system's code. */
const reasons = new Map([
  ['EACCES', 'that is not allowed'],
  ['EPERM', 'that is not allowed'],
  ['EISDIR', 'it is a folder'],
])

/** What `.env` of the working directory sets; nothing where there is none, `invalid` where there is one that cannot be read. */
export function readEnvironmentFile(readFile: ReadFile): Environment {
  try {
    return parseEnv(readFile('.env').replace(/^\uFEFF/, ''))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'damaged'
    if (code === 'ENOENT') return {}
    const why = reasons.get(code) ?? `the system says ${code}`
    throw new AppError('invalid', `.env cannot be read by this account: ${why}.`, { cause })
  }
}
