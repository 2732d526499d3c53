import { AppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import { viewChanged } from '../../feeds/many/changed-row.ts'
import type { ChosenFeed } from '../../feeds/many/chosen-feeds.ts'
import type { TableChange } from '../../feeds/many/feed-table-changes.ts'
import type { CommandContext } from '../context.ts'
import { printWarnings } from '../print.ts'
import { readTableFile } from '../read-input.ts'
import { warnOfAssumed } from './addresses.ts'
import { rowPrinter } from './row-printer.ts'
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
  const records = readCsv(table.text)
  await context.withUseCases(async (useCases) => {
    const { tableChanges } = useCases.administration
    if (change.kind === 'rotate' && !dryRun) warnOfAssumed(context, useCases)
    const { feeds, notes } = await tableChanges.choose(records, change, company)
    for (const note of notes) context.warn(`Note: ${note}`)
    if (change.kind === 'rotate') warnOfNoCompany(context, useCases, openOf(feeds))
    const print = rowPrinter(context, feeds.length, { ...form, view: viewChanged })
    const statuses: string[] = []
    const rows = dryRun ? tableChanges.plan(feeds, change) : tableChanges.run(feeds, change)
    for await (const row of rows) {
      print(row)
      statuses.push(row.status)
      context.progress(dryRun ? 'Looked at' : 'Changed', statuses.length, feeds.length)
    }
    const said = summary(statuses)
    if (statuses.includes('failed')) throw new AppError('unavailable', said)
    context.warn(said)
  })
}

function openOf(chosen: readonly ChosenFeed[]): readonly Feed[] {
  const feeds = chosen.map(({ feed }) => feed)
  return feeds.filter(({ revokedAt, closedAt }) => revokedAt === null && closedAt === null)
}

function summary(statuses: readonly string[]): string {
  const counts = [...new Set(statuses)].map(
    (status) => `${statuses.filter((it) => it === status).length} ${status}`,
  )
  return `${statuses.length} ${statuses.length === 1 ? 'feed' : 'feeds'}: ${counts.join(', ')}.`
}
