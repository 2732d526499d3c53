import { setImmediate } from 'node:timers/promises'

import { AppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { sayOthersGoOn } from '../../feeds/import/link-table.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import { type ChangedRow, viewChanged } from '../../feeds/many/changed-row.ts'
import type { ChosenFeed } from '../../feeds/many/chosen-feeds.ts'
import type { TableChange } from '../../feeds/many/feed-table-changes.ts'
import type { CommandContext } from '../context.ts'
import { printWarnings } from '../print.ts'
import { readTableFile } from '../read-input.ts'
import { warnOfAssumed } from './addresses.ts'
import { sameAgain, type TableRun, tellingHowToGoOn } from './going-on.ts'
import { type RowPrinter, rowPrinter } from './row-printer.ts'
import { warnOfNoCompany } from './without-company.ts'

interface TableOptions {
  readonly company?: string
  readonly dryRun?: boolean
  readonly excel?: boolean
  readonly json?: boolean
}

/** Changes every feed that the table names and prints each as it is done; gives what became of them, in a sentence. */
export async function changeFromTable(
  context: CommandContext,
  file: string,
  change: TableChange,
  { company, dryRun = false, ...form }: TableOptions,
): Promise<void> {
  const table = await readTableFile(file)
  printWarnings(context, table.warnings)
  const records = await readCsv(table.text)
  await context.withUseCases(async (useCases) => {
    const { tableChanges } = useCases.administration
    if (change.kind === 'rotate' && !dryRun) warnOfAssumed(context, useCases)
    const { feeds, notes } = await tableChanges.choose(records, change, company)
    for (const note of notes) context.warn(`Note: ${note}`)
    if (change.kind === 'rotate') warnOfNoCompany(context, useCases, openOf(feeds))
    const rows = dryRun ? tableChanges.plan(feeds, change) : tableChanges.run(feeds, change)
    const printer = rowPrinter(context, { ...form, view: viewChanged })
    const doing = dryRun ? 'Looked at' : 'Changed'
    await tellingHowToGoOn(context, runOf(change, dryRun, feeds, printer), async (signal) => {
      const done: ChangedRow[] = []
      const said = await printAll(rows, printer, (row) => {
        const count = done.push(row)
        context.progress(doing, count, feeds.length)
        if (count < feeds.length) signal.throwIfAborted()
      }).finally(() => printWarnings(context, sayOthersGoOn(done)))
      context.warn(said)
    })
  })
}

function openOf(chosen: readonly ChosenFeed[]): readonly Feed[] {
  const feeds = chosen.map(({ feed }) => feed)
  return feeds.filter(({ revokedAt, closedAt }) => revokedAt === null && closedAt === null)
}

/** Gives what became of them in a sentence; `unavailable` with it where one failed. */
async function printAll(
  rows: AsyncIterable<ChangedRow>,
  printer: RowPrinter<ChangedRow>,
  onRow: (row: ChangedRow) => void,
): Promise<string> {
  const statuses: string[] = []
  try {
    for await (const row of rows) {
      printer.print(row)
      statuses.push(row.status)
      // SQLite answers at once: without a rest nobody could end the run.
      await setImmediate()
      onRow(row)
    }
  } finally {
    printer.end()
  }
  const said = summary(statuses)
  if (statuses.includes('failed')) throw new AppError('unavailable', said)
  return said
}

function runOf(
  { kind }: TableChange,
  dryRun: boolean,
  feeds: readonly object[],
  { count }: RowPrinter<ChangedRow>,
): TableRun {
  return {
    things: 'feeds',
    showsAddresses: kind === 'rotate' && !dryRun,
    again: sameAgain[dryRun ? 'plan' : kind],
    total: () => feeds.length,
    done: count,
  }
}

function summary(statuses: readonly string[]): string {
  const counts = [...new Set(statuses)].map(
    (status) => `${statuses.filter((it) => it === status).length} ${status}`,
  )
  return `${statuses.length} ${statuses.length === 1 ? 'feed' : 'feeds'}: ${counts.join(', ')}.`
}
