import { defineConfig } from 'vitest/config'

import shared from './vitest.config.ts'

/** Tests that try more where they have the time. */
const thorough = [
  'adversary/damaged-answers',
  'adversary/never-less',
  'adversary/shown-to-the-wrong-person',
  'adversary/upstream-calls',
  'calendar/local-time',
  'http/pages/every-page',
  'http/pages/feed-page',
  'nodes',
  'sandbox/model',
].map((name) => `test/${name}.test.ts`)

/** The same set-up for the long runs, which have half an hour each. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ['test/soak/**/*.soak.ts', ...thorough],
    provide: { isThorough: true },
    testTimeout: 1_800_000,
  },
})
