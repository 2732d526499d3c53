/* What an older Node gets to read in place of a stack. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'

import { expect, it } from 'vitest'

import packageFile from '../package.json' with { type: 'json' }

const text = readFileSync(path.resolve(import.meta.dirname, '../src/entry.cjs'), 'utf8')

/** What it says, and its exit code, under that version of Node; `goes on` where it turns to the program. */
function startUnder(node: string): { said: readonly string[]; code: number | undefined } {
  const said: string[] = []
  const process: { versions: object; exitCode?: number } = { versions: { node } }
  const console = { error: (sentence: string) => said.push(sentence) }
  const goOn = (): number => said.push('goes on')
  const started = text.replace("import('./main.ts')", 'goOn()')
  runInNewContext(started, { process, console, goOn })
  return { said, code: process.exitCode }
}

const goesOn = { said: ['goes on'], code: undefined }

it.each(['8.17.0', '20.20.2', '22.21.1', '24.11.1'])('Node %s gets one sentence', (node) => {
  const { said, code } = startUnder(node)
  const begins = `This needs Node 24.12 or newer, and this is Node ${node}: `
  expect([said.length, said[0]?.slice(0, begins.length), code]).toEqual([1, begins, 1])
})

it.each(['24.12.0', '24.21.0', '25.0.0-nightly20260101', '26.1.0'])('Node %s starts', (node) => {
  expect(startUnder(node)).toEqual(goesOn)
})

it('needs what the package needs, and what comes with the package is that', () => {
  const needed = packageFile.engines.node.slice('>='.length)
  expect(text).toContain(`[${needed.replace('.', ', ')}]`)
  const brought = Object.values(packageFile.optionalDependencies)
  expect(new Set(brought).size).toBe(1)
  expect(startUnder(String(brought[0]))).toEqual(goesOn)
})
