/* The program of the version before this one, as git has it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import packageFile from '../../../package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '../../..')

export interface EarlierProgram {
  readonly version: string
  /** Where it begins. */
  readonly program: string
}

/** Puts the version before into that folder, with its packages. */
export function takeVersionBefore(folder: string): EarlierProgram {
  const { version, dependencies } = packageBefore()
  mkdirSync(folder, { recursive: true })
  const archive = git('archive', before)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const packages = path.join(folder, 'node_modules')
  if (isDeepStrictEqual(dependencies, packageFile.dependencies)) {
    symlinkSync(path.join(root, 'node_modules'), packages)
  } else execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder })
  return { version, program: path.join(folder, 'src/entry.cjs') }
}

/** The last commit of the version before, which is its tag `vX.Y.Z`. */
const before = '8824e33eab1576842256128f303e8c05c39402b8'

function packageBefore(): Pick<typeof packageFile, 'version' | 'dependencies'> {
  try {
    return JSON.parse(String(git('show', `${before}:package.json`))) as typeof packageFile
  } catch (cause) {
    const message =
      'The version before is taken from git: this needs git and the whole history (git fetch --unshallow).'
    throw new Error(message, { cause })
  }
}

function git(...words: readonly string[]): Buffer {
  return execFileSync('git', words, { cwd: root, maxBuffer: 2 ** 30, stdio: 'pipe' })
}
