import type { Invitations } from '../../access/mail/invitations.ts'
import { AppError } from '../../domain/errors.ts'
import { type ImportedRow, rowWarnings, viewRow } from '../../feeds/import/import-result.ts'
import { unknownColumns } from '../../feeds/import/import-rows.ts'
import { readCsv } from '../../feeds/import/read-csv.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { printWarnings } from '../print.ts'
import { readTableFile } from '../read-input.ts'
import { warnOfAssumed } from './addresses.ts'
import { sameAgain, type TableRun, tellingHowToGoOn } from './going-on.ts'
import { mailedAtOnce } from './mail-queue.ts'
import { MailedRows } from './mailed-rows.ts'
import { rowPrinter } from './row-printer.ts'

interface TableOptions {
  readonly company?: string
  readonly rotateExisting?: boolean
  readonly graceDays?: number
  readonly excel?: boolean
  readonly json?: boolean
  /** What mails; null where nothing is to be mailed. */
  readonly mailing: (useCases: UseCases) => Invitations | null
}

const progressWords = { checked: 'Checked', done: 'Made' } as const

/** Makes a feed per row of the table and prints each row as it is made; fails where one of them did. */
export async function createFromTable(
  context: CommandContext,
  file: string,
  { company, rotateExisting = false, graceDays = 0, mailing, ...form }: TableOptions,
): Promise<void> {
  const table = await readTableFile(file)
  printWarnings(context, table.warnings)
  const records = await readCsv(table.text)
  const unread = unknownColumns(records)
  printWarnings(context, unread)
  await context.withUseCases(async (useCases) => {
    const { feedImport } = useCases.administration
    const invitations = mailing(useCases)
    warnOfAssumed(context, useCases)
    const printer = rowPrinter(context, { ...form, view: viewRow })
    const run: TableRun = {
      things: 'rows',
      showsAddresses: true,
      again: sameAgain[rotateExisting ? 'rotate' : 'create'],
      total: () => records.length,
      done: printer.count,
    }
    await tellingHowToGoOn(context, run, async (signal) => {
      const { print } = printer
      const { warn } = context
      const mailed = invitations && new MailedRows({ invitations, graceDays, print, warn, signal })
      const importing = feedImport.run(records, {
        companyId: company,
        rotateExisting,
        graceDays,
        signal,
        ...(mailed && { atOnce: mailedAtOnce, refusal: () => mailed.refusal() }),
        onRow: (row) => (mailed ? mailed.add(row) : print(row)),
        onProgress: ({ step, count, total }) => context.progress(progressWords[step], count, total),
      })
      await Promise.allSettled([importing])
      await mailed?.end()
      printer.end()
      const { rows, warnings } = await importing
      const others = warnings.filter((warning) => !unread.includes(warning))
      printWarnings(context, [...others, ...rowWarnings(rows)])
      sayOutcome(context, rows, mailed)
    })
  })
}

function sayOutcome(
  { warn }: Pick<CommandContext, 'warn'>,
  rows: readonly ImportedRow[],
  mailed: MailedRows | null,
): void {
  const said = [summary(rows), mailed?.summary() ?? []].flat().join(' ')
  if (rows.some(({ status }) => status === 'failed')) throw new AppError('unavailable', said)
  warn(said)
  mailed?.refuse()
}

function summary(rows: readonly ImportedRow[]): string {
  const parts = (['created', 'rotated', 'skipped', 'failed'] as const).flatMap((status) => {
    const some = rows.filter((row) => row.status === status)
    if (status === 'failed' && some.length === 0) return []
    const noted = some.filter(({ reason }) => reason !== null).length
    return `${some.length} ${status}${noted > 0 ? notes[status](noted) : ''}`
  })
  return `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}: ${parts.join(', ')}.`
}

const differ = (count: number): string => ` (${count} ${count === 1 ? 'differs' : 'differ'})`

/** How many of the rows of a status should be looked at. */
const notes = {
  created: (count: number) => ` (${count} with another calendar)`,
  rotated: differ,
  skipped: differ,
  failed: () => '',
}
