import { AppError } from '../../domain/errors.ts'
import { viewRow } from '../../feeds/import/import-result.ts'
import { unknownColumns } from '../../feeds/import/import-rows.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import type { CommandContext } from '../context.ts'
import { printWarnings } from '../print.ts'
import { readTableFile } from '../read-input.ts'
import { warnOfAssumed } from './addresses.ts'
import { rowPrinter } from './row-printer.ts'

interface TableOptions {
  readonly company?: string
  readonly rotateExisting?: boolean
  readonly graceDays?: number
  readonly excel?: boolean
  readonly json?: boolean
}

const progressWords = { checked: 'Checked', done: 'Made' } as const

/** Makes a feed per row of the table and prints each row as it is made; fails where one of them did. */
export async function createFromTable(
  context: CommandContext,
  file: string,
  { company, rotateExisting = false, graceDays = 0, ...form }: TableOptions,
): Promise<void> {
  const table = await readTableFile(file)
  printWarnings(context, table.warnings)
  const records = readCsv(table.text)
  const unread = unknownColumns(records)
  printWarnings(context, unread)
  await context.withUseCases(async (useCases) => {
    const { feedImport } = useCases.administration
    warnOfAssumed(context, useCases)
    const { rows, warnings } = await feedImport.run(records, {
      companyId: company,
      rotateExisting,
      graceDays,
      onRow: rowPrinter(context, records.length, { ...form, view: viewRow }),
      onProgress: ({ step, count, total }) => context.progress(progressWords[step], count, total),
    })
    printWarnings(
      context,
      warnings.filter((warning) => !unread.includes(warning)),
    )
    const statuses = rows.map(({ status }) => status)
    if (statuses.includes('failed')) throw new AppError('unavailable', summary(statuses))
    context.warn(summary(statuses))
  })
}

function summary(statuses: readonly string[]): string {
  const count = (status: string): number => statuses.filter((it) => it === status).length
  const failed = count('failed') > 0 ? ['failed'] : []
  const parts = ['created', 'rotated', 'skipped', ...failed].map(
    (status) => `${count(status)} ${status}`,
  )
  return `${statuses.length} rows: ${parts.join(', ')}.`
}
