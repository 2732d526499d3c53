import { expect, it } from 'vitest'

import { usageSentence } from '../../src/cli/command-line.ts'

it.each([
  [
    'bridge feed list',
    "error: unknown option '--usr'\n(Did you mean --user?)\n",
    "Unknown option '--usr'; did you mean `--user`?",
  ],
  [
    'bridge feed list',
    "error: unknown option '--port'\n",
    "Unknown option '--port'; see `bridge feed list --help`.",
  ],
  [
    'bridge workforce serve',
    "error: unknown option '--prot'\n(Did you mean --port?)\n",
    "Unknown option '--prot'; did you mean `--port`?",
  ],
  ['bridge', "error: unknown command 'x'\n", "Unknown command 'x'; see `bridge --help`."],
  [
    'bridge serve',
    "error: option '--port <n>' is invalid. Must be a number.",
    "Option '--port <n>' is invalid. Must be a number.",
  ],
])('%s: %j', (path, text, sentence) => {
  expect(usageSentence(text, path)).toBe(sentence)
})
