/*
 * From records to a calendar, beside other ways to the same. Each is measured in a process of its own, which runs the
 * program as it is served: what a test runner makes of a module calls a function of another one three times as slowly.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

import { expect, it } from 'vitest'

import { noteRatio } from '../support/bench/measured-ratios.ts'
import type { MeasuredRow } from '../support/bench/measured-row.ts'

const run = promisify(execFile)

it.each(['expansion', 'rendering', 'team'])('%s', { timeout: 600_000 }, async (name) => {
  const program = path.resolve(import.meta.dirname, `../support/bench/${name}-process.ts`)
  const { stdout } = await run(process.execPath, [program])
  const rows = stdout.trimEnd().split('\n')
  expect(rows[0]).toMatch(/"measured":[\d.]/)
  for (const row of rows) noteRatio({ ...(JSON.parse(row) as MeasuredRow), bench: 'calendar' })
})
