import { availableParallelism } from 'node:os'
import path from 'node:path'

import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    provide: { isThorough: false },
    // Many tests wait for a program, a browser or a database of their own: another has the processor meanwhile.
    maxWorkers: availableParallelism() + 1,
    // One process runs many files and loads the program once: every file closes what it opens and mocks nothing.
    isolate: false,
    // Patience for a busy machine; what must be fast says so itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    benchmark: {
      include: ['test/bench/**/*.bench.ts'],
      // It takes ten minutes, and is run by its name.
      exclude: process.argv.includes('scale') ? [] : ['test/bench/scale.bench.ts'],
    },
  },
})
