import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { defineConfig } from 'vitest/config'

import shared from './vitest.config.ts'

/** Tests that try more where they have the time: those that ask whether there is. */
const thorough = globSync('**/*.test.ts', { cwd: import.meta.dirname })
  .map((name) => path.join(import.meta.dirname, name))
  .filter((file) => /isThorough|support\/thorough/.test(readFileSync(file, 'utf8')))

/** The same set-up for the long runs, which have half an hour each. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['test/soak/**/*.soak.ts', ...thorough],
    provide: { isThorough: true },
    // What is measured there has a processor to itself.
    maxWorkers: '100%',
    testTimeout: 1_800_000,
  },
})
