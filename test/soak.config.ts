import { defineConfig } from 'vitest/config'

import shared from './vitest.config.ts'

/** The same set-up for the long runs, which have half an hour each. */
export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ['test/soak/**/*.soak.ts'], testTimeout: 1_800_000 },
})
