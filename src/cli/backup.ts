import { statSync } from 'node:fs'

import { Command, InvalidArgumentError } from 'commander'

import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'

/** `backup`: a SQLite database in a new file, as it stands at this instant. */
export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copy the SQLite database into a new file, while the bridge runs')
    .requiredOption('--output <file>', 'where to; a file that exists is refused', newFile)
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', '\nExample:\n  bridge backup --output backup.sqlite')
    .action(async ({ output, json }: { output: string; json?: boolean }) => {
      await context.backUp(output, (count, total) =>
        context.progress('Pages written:', count, total),
      )
      const bytes = statSync(output).size
      context.print(json ? JSON.stringify({ output, bytes }) : `${output}: ${bytes} bytes`)
    })
}

function newFile(value: string): string {
  if (value !== '-') return nonEmpty(value)
  throw new InvalidArgumentError('A database is written to a file, not to standard output.')
}
