import { randomInt } from 'node:crypto'

import { defineConfig } from 'vitest/config'

import shared from './vitest.config.ts'

/** All tests with more tries, properties with other values than ever before, and the long runs, which have half an hour each. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['test/**/*.{test,soak}.ts'],
    provide: {
      isThorough: true,
      propertySeed: Number(process.env['FC_SEED'] ?? randomInt(2 ** 31)),
    },
    // What is measured there has a processor to itself.
    maxWorkers: '100%',
    testTimeout: 1_800_000,
  },
})
