import { statSync } from 'node:fs'

import { Command, InvalidArgumentError, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'

export function backupCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('backup')
    .description('copy the SQLite database to a new file, while the bridge runs')
    .requiredOption('--output <file>', 'new file; an existing file is refused', (value) => {
      if (value !== '-') return nonEmpty(value)
      throw new InvalidArgumentError('Name a file; a database cannot go to standard output.')
    })
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', '\nExample:\n  bridge backup --output backup.sqlite')
    .action(async ({ output, json }) => {
      await context.backUp(output, (count, total) =>
        context.progress('Pages written:', count, total),
      )
      const bytes = statSync(output).size
      context.print(json ? JSON.stringify({ output, bytes }) : `${output}: ${bytes} bytes`)
    })
}
