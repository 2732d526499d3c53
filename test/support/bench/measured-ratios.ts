/* What benchmarks have measured, row for row of the table in the README; printed when the run is over. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'

import { expect, inject } from 'vitest'

import type { MeasuredRow } from './measured-row.ts'

/** With the name by which `npm run bench --` repeats it. */
export interface MeasuredRatio extends MeasuredRow {
  readonly bench: string
}

const fileName = 'measured-ratios'

/** Notes it for the table; a bound that it breaks fails the test, which goes on. */
export function noteRatio(row: MeasuredRatio): void {
  appendFileSync(path.join(inject('temporaryFolder'), fileName), `${JSON.stringify(row)}\n`)
  console.log(`${row.measure}, against ${row.against}: ${figures(row)} (${said(row)})`)
  if ('least' in row.bound) expect.soft(row.measured).toBeGreaterThanOrEqual(row.bound.least)
  else expect.soft(row.measured).toBeLessThanOrEqual(row.bound.most)
}

/** What was noted in a run with that folder, as the README has it; undefined where nothing was. */
export function tableOfRatios(folder: string): string | undefined {
  const file = path.join(folder, fileName)
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as MeasuredRatio)
  return [
    `${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`,
    '',
    '| measure | against | bound | measured | `npm run bench --` |',
    '|---|---|---|---|---|',
    ...rows.toSorted((one, other) => one.bench.localeCompare(other.bench)).map(tableRow),
  ].join('\n')
}

function tableRow(row: MeasuredRatio): string {
  const { measure, against, bench } = row
  return `| ${measure} | ${against} | ${said(row)} | ${figures(row)} | \`${bench}\` |`
}

function figures({ measured, byProcessor }: MeasuredRatio): string {
  const more = byProcessor === undefined ? '' : `; ${byProcessor.toFixed(2)} by processor time`
  return `${measured.toFixed(2)}${more}`
}

function said({ bound }: MeasuredRatio): string {
  return 'least' in bound ? `at least ${bound.least}` : `at most ${bound.most}`
}
