/* Collects what benchmarks measure, and checks it against its bound. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'

import { expect, inject } from 'vitest'

import {
  boundText,
  figures,
  type MeasuredRatio,
  performanceTable,
  saveResults,
} from './bench-results.ts'

const fileName = 'measured-ratios'

/** Notes it for the table; a bound that it breaks fails the test, which continues. */
export function noteRatio(row: MeasuredRatio): void {
  appendFileSync(path.join(inject('temporaryFolder'), fileName), `${JSON.stringify(row)}\n`)
  console.log(`${row.measure}, against ${row.against}: ${figures(row)} (${boundText(row)})`)
  if ('least' in row.bound) expect.soft(row.measured).toBeGreaterThanOrEqual(row.bound.least)
  else expect.soft(row.measured).toBeLessThanOrEqual(row.bound.most)
}

/** Saves what was noted in a run with that folder, and gives it as a table; undefined if nothing was. */
export function saveRatios(folder: string): string | undefined {
  const file = path.join(folder, fileName)
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as MeasuredRatio)
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`
  saveResults(machine, rows)
  return performanceTable({ machine, rows })
}
