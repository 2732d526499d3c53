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
  const commit = commitBefore()
  const { version, dependencies } = packageOf(commit)
  mkdirSync(folder, { recursive: true })
  const archive = git('archive', commit)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const packages = path.join(folder, 'node_modules')
  if (isDeepStrictEqual(dependencies, packageFile.dependencies)) {
    symlinkSync(path.join(root, 'node_modules'), packages)
  } else execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: folder })
  return { version, program: path.join(folder, 'src/entry.cjs') }
}

/** The tag of the version before, or else the last commit before the one that gave this version its number. */
function commitBefore(): string {
  try {
    const changes = String(git('log', '--format=%H', '--', 'package.json'))
      .trim()
      .split('\n')
    const ofThis = changes.findIndex((it) => packageOf(it).version !== packageFile.version)
    const last = `${changes[ofThis - 1]}^`
    const tag = `v${packageOf(last).version}`
    return String(git('tag', '--list', tag)).trim() || last
  } catch (cause) {
    const message =
      'The version before is taken from git: this needs git and the whole history (git fetch --unshallow --tags).'
    throw new Error(message, { cause })
  }
}

function packageOf(commit: string): Pick<typeof packageFile, 'version' | 'dependencies'> {
  return JSON.parse(String(git('show', `${commit}:package.json`))) as typeof packageFile
}

function git(...words: readonly string[]): Buffer {
  return execFileSync('git', words, { cwd: root, maxBuffer: 2 ** 30, stdio: 'pipe' })
}
