import { linkLines, type LinkRow, linkTable } from '../../feeds/import/link-table.ts'
import type { CommandContext } from '../context.ts'
import { printText } from '../print.ts'

interface RowForm<Row> {
  readonly json?: boolean
  readonly excel?: boolean
  /** The row as programs see it. */
  readonly view: (row: Row) => object
}

/** Prints each of so many rows as soon as it is done: what is printed stays, whatever ends the rest. */
export function rowPrinter<Row extends LinkRow>(
  context: Pick<CommandContext, 'print'>,
  total: number,
  { json = false, excel = false, view }: RowForm<Row>,
): (row: Row) => void {
  const form = excel ? 'excel' : 'plain'
  let printed = 0
  return (row) => {
    printed += 1
    if (!json) return printText(context, (printed === 1 ? linkTable : linkLines)([row], form))
    if (printed === 1) context.print('{"data": [')
    context.print(JSON.stringify(view(row)) + (printed < total ? ',' : '\n]}'))
  }
}
