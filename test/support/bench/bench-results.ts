/* What the last run of each benchmark has measured; docs/performance.md shows it. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import type { MeasuredRow } from './measured-row.ts'

/** With the name by which `npm run bench --` repeats it. */
export interface MeasuredRatio extends MeasuredRow {
  readonly bench: string
}

interface Results {
  readonly machine: string
  readonly rows: readonly MeasuredRatio[]
}

const file = path.resolve(import.meta.dirname, '../../bench/results.json')

/** Replaces the rows of the benchmarks that have run. */
export function saveResults(machine: string, rows: readonly MeasuredRatio[]): void {
  const ran = new Set(rows.map(({ bench }) => bench))
  const others = readResults().rows.filter(({ bench }) => !ran.has(bench))
  const all = [...others, ...rows].toSorted((one, other) => one.bench.localeCompare(other.bench))
  writeFileSync(file, `${JSON.stringify({ machine, rows: all }, null, 2)}\n`)
}

/** All rows as a table. */
export function performanceTable({ machine, rows }: Results = readResults()): string {
  return [
    `Measured on ${machine}.`,
    '',
    '| measure | against | bound | measured | `npm run bench --` |',
    '|---|---|---|---|---|',
    ...rows.map((row) => {
      const { measure, against, bench } = row
      return `| ${measure} | ${against} | ${boundText(row)} | ${figures(row)} | \`${bench}\` |`
    }),
  ].join('\n')
}

export function figures({ measured, byProcessor }: MeasuredRatio): string {
  const more = byProcessor === undefined ? '' : `; ${byProcessor.toFixed(2)} by processor time`
  return `${measured.toFixed(2)}${more}`
}

export function boundText({ bound }: MeasuredRatio): string {
  return 'least' in bound ? `at least ${bound.least}` : `at most ${bound.most}`
}

function readResults(): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results
}
