/* What only tells how the program is used starts at once: it loads the command line, and nothing of what commands do. */
import path from 'node:path'

import { expect, inject, it } from 'vitest'

import { runProgram } from './support/bridge/program.ts'

const root = path.resolve(import.meta.dirname, '..')
const preload = path.resolve(import.meta.dirname, 'support/bench/loaded-process.ts')

/** The command line, what it shares with the rest, and the edge of the process. */
const light =
  /^(?:package\.json|src\/(?:cli|domain|json|text)\/.*|src\/(?:entry|main)\.(?:ts|cjs)|src\/process\/(?:terminal|command-context|ending)\.ts|src\/feeds\/link-label\.ts|src\/examination\/advice\.ts|node_modules\/(?:commander|@commander-js)\/.*)$/

it.each([
  [['--version']],
  [['--help']],
  [['feed', '--help']],
  [['feed', 'rotate', '--help']],
  [['feed', 'lst']],
  [['feed', 'rotate', 'feed_1', '--grace-days', '366']],
  [['feed', 'link', 'feed_1', '--label', '..']],
  [['workforce', 'serve', '--port', 'x']],
])('%j loads only the command line', async (words) => {
  const settings = { folder: inject('temporaryFolder'), flags: ['--import', preload] }
  const { errors } = await runProgram(words, settings)
  const loaded = JSON.parse(errors.trim().split('\n').at(-1) ?? '') as string[]
  const files = loaded
    .filter((url) => url.startsWith('file:'))
    .map((url) => path.relative(root, new URL(url).pathname))
  expect(files).toContain('src/cli/command-line.ts')
  expect(files.filter((file) => !light.test(file))).toEqual([])
})
