import { availableParallelism } from 'node:os'
import path from 'node:path'

import { defineConfig } from 'vitest/config'

const patienceMs = 600_000

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/bridge/global-setup.ts'],
    setupFiles: ['test/support/bridge/properties.ts'],
    provide: { isThorough: false, propertySeed: Number(process.env['FC_SEED'] ?? 20_261_126) },
    // As Node itself loads the program, which is quicker and needs no path that Vite can put into an address.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Many tests wait for a program, a browser or a database of their own: another has the processor meanwhile.
    maxWorkers: availableParallelism() + 1,
    // One process runs many files and loads the program once: every file closes what it opens and mocks nothing.
    isolate: false,
    // Only what hangs takes so long, on however busy a machine; what must be fast says so itself.
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    teardownTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs / 2 } },
    benchmark: {
      include: ['test/bench/**/*.bench.ts'],
      // It takes ten minutes, and is run by its name.
      exclude: process.argv.includes('scale') ? [] : ['test/bench/scale.bench.ts'],
    },
  },
})
