import { AppError } from '../../domain/errors.ts'
import { readCsv } from '../../feeds/import/csv.ts'
import { type ImportedRow, importLine, viewRow } from '../../feeds/import/import-result.ts'
import type { CommandContext } from '../context.ts'
import { printText, printWarnings } from '../print.ts'
import { readInput } from '../read-input.ts'

interface TableOptions {
  readonly company?: string
  readonly rotateExisting?: boolean
  readonly json?: boolean
}

const progressWords = { checked: 'Checked', done: 'Made' } as const

/** Makes a feed per row of the table and prints each row as it is made; fails where one of them did. */
export async function createFromTable(
  context: CommandContext,
  file: string,
  { company, rotateExisting = false, json = false }: TableOptions,
): Promise<void> {
  const records = readCsv(await readInput(file))
  await context.withUseCases(async ({ administration: { feedImport } }) => {
    const { rows, warnings } = await feedImport.run(records, {
      companyId: company,
      rotateExisting,
      onRow: rowPrinter(context, records.length, json),
      onProgress: ({ step, count, total }) => context.progress(progressWords[step], count, total),
    })
    printWarnings(context, warnings)
    const statuses = rows.map(({ status }) => status)
    if (statuses.includes('failed')) throw new AppError('unavailable', summary(statuses))
    context.warn(summary(statuses))
  })
}

/** Each row goes out as soon as it is made: what is printed stays, whatever ends the rest. */
function rowPrinter(
  context: CommandContext,
  total: number,
  json: boolean,
): (row: ImportedRow) => void {
  let printed = 0
  return (row) => {
    printed += 1
    if (!json) return printText(context, importLine(row, printed === 1))
    if (printed === 1) context.print('{"data": [')
    context.print(JSON.stringify(viewRow(row)) + (printed < total ? ',' : '\n]}'))
  }
}

function summary(statuses: readonly string[]): string {
  const count = (status: string): number => statuses.filter((it) => it === status).length
  const failed = count('failed') > 0 ? ['failed'] : []
  const parts = ['created', 'rotated', 'skipped', ...failed].map(
    (status) => `${count(status)} ${status}`,
  )
  return `${statuses.length} rows: ${parts.join(', ')}.`
}
