import { expect, it } from 'vitest'

import { usageSentence } from '../../src/cli/usage-sentence.ts'

it.each([
  [
    "error: unknown option '--usr'\n(Did you mean --user?)\n",
    "Unknown option '--usr'; did you mean `--user`?",
  ],
  [
    "error: unknown command 'version'\n",
    "Unknown command 'version'; did you mean `bridge --version`?",
  ],
  [
    "error: unknown option '--port'\n",
    "Unknown option '--port'; did you mean `PORT=8191 bridge serve`?",
  ],
  ["error: unknown command 'x'\n", "Unknown command 'x'."],
  [
    "error: option '--port <n>' is invalid. Must be a number.",
    "Option '--port <n>' is invalid. Must be a number.",
  ],
])('%j', (text, sentence) => {
  expect(usageSentence(text)).toBe(sentence)
})
