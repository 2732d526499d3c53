/* What an older Node gets to read in place of a stack, and where the others keep what they have compiled. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'

import { expect, inject, it } from 'vitest'

import packageFile from '../package.json' with { type: 'json' }

const entry = path.resolve(import.meta.dirname, '../src/entry.cjs')
const text = readFileSync(entry, 'utf8')

/** What it says, and its exit code, under that version of Node; `goes on` where it turns to the program. */
function startUnder(node: string): { said: readonly string[]; code: number | undefined } {
  const said: string[] = []
  const process: { versions: object; exitCode?: number } = { versions: { node } }
  const console = { error: (sentence: string) => said.push(sentence) }
  const goOn = (): number => said.push('goes on')
  const started = text.replace('void start()', 'goOn()')
  runInNewContext(started, { process, console, goOn })
  return { said, code: process.exitCode }
}

const goesOn = { said: ['goes on'], code: undefined }

it.each(['8.17.0', '20.20.2', '22.21.1', '24.11.1'])(
  'Node %s is rejected in one sentence',
  (node) => {
    const { said, code } = startUnder(node)
    const begins = `This needs Node 24.12 or newer, and this is Node ${node}: `
    expect([said.length, said[0]?.slice(0, begins.length), code]).toEqual([1, begins, 1])
  },
)

it.each(['24.12.0', '24.21.0', '25.0.0-nightly20260101', '26.1.0'])('Node %s starts', (node) => {
  expect(startUnder(node)).toEqual(goesOn)
})

it('the required Node version is that of the package, and the bundled Node meets it', () => {
  const needed = packageFile.engines.node.slice('>='.length)
  expect(text).toContain(`[${needed.replace('.', ', ')}]`)
  const brought = Object.values(packageFile.optionalDependencies)
  expect(new Set(brought).size).toBe(1)
  expect(startUnder(String(brought[0]))).toEqual(goesOn)
})

/** A program that only tells where Node keeps what it compiles, or that it does not. */
function installProgram(): string {
  const folder = mkdtempSync(path.join(inject('temporaryFolder'), 'entry-'))
  for (const inside of ['src', 'node_modules']) mkdirSync(path.join(folder, inside))
  copyFileSync(entry, path.join(folder, 'src/entry.cjs'))
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')
  writeFileSync(
    path.join(folder, 'src/main.ts'),
    "import { getCompileCacheDir } from 'node:module'\nconsole.log(getCompileCacheDir() ?? 'nowhere')\n",
  )
  return folder
}

/** By a process that lets others write whatever it makes. */
function startIn(folder: string): string {
  const command = `umask 0; exec '${process.execPath}' src/entry.cjs`
  const options = { cwd: folder, env: { PATH: process.env['PATH'] }, encoding: 'utf8' } as const
  return execFileSync('/bin/sh', ['-c', command], options).trim()
}

it('compiled code is kept in the folder of the program, accessible only to its owner', () => {
  const folder = installProgram()
  const compiled = path.join(folder, 'node_modules/.compiled')
  expect(startIn(folder).startsWith(`${compiled}/`)).toBe(true)
  expect(statSync(compiled).mode & 0o777).toBe(0o700)
})

it('an unwritable folder does not stop the start', () => {
  const folder = installProgram()
  writeFileSync(path.join(folder, 'node_modules/.compiled'), '')
  expect(startIn(folder)).toBe('nowhere')
})
