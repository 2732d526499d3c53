import { linkLines, type LinkRow, linkTable } from '../../feeds/import/link-table.ts'
import type { CommandContext } from '../context.ts'
import { printText } from '../print.ts'

interface RowForm<Row> {
  readonly json?: boolean
  readonly excel?: boolean
  /** The row as programs see it. */
  readonly view: (row: Row) => object
}

/** Prints rows as they are done. */
export interface RowPrinter<Row> {
  readonly print: (row: Row) => void
  /** Ends what is printed, so that programs can read it however few rows it has. */
  readonly end: () => void
  readonly count: () => number
}

/** Prints each row as soon as it is done: what is printed stays, whatever ends the rest. */
export function rowPrinter<Row extends LinkRow>(
  context: Pick<CommandContext, 'print'>,
  { json = false, excel = false, view }: RowForm<Row>,
): RowPrinter<Row> {
  const form = excel ? 'excel' : 'plain'
  let printed = 0
  return {
    print: (row) => {
      printed += 1
      if (!json) return printText(context, (printed === 1 ? linkTable : linkLines)([row], form))
      context.print((printed === 1 ? '{"data": [\n' : ', ') + JSON.stringify(view(row)))
    },
    end: () => {
      if (json && printed > 0) context.print(']}')
    },
    count: () => printed,
  }
}
