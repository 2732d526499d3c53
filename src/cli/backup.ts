import {
  Command,
  InvalidArgumentError,
  Option,
  type CommandUnknownOpts,
} from '@commander-js/extra-typings'

import type { BackupTarget, CommandContext } from './context.ts'
import { nonEmpty, wholeNumber } from './option-values.ts'
import { counted } from './output.ts'

const help = `
The copy is opened and checked before it counts as a backup. Only then are older ones removed.

Examples:
  bridge backup --output backup.sqlite
  bridge backup --directory /var/backups/calendar-feed-bridge --keep 14   (every night)`

export function backupCommand(context: CommandContext): CommandUnknownOpts {
  const output = new Option('--output <file>', 'new file; an existing file is refused')
  const directory = new Option('--directory <folder>', 'folder for a new file named by the time')
  const keep = '--keep <n>'
  return new Command('backup')
    .description('copy the SQLite database to a new file, while the bridge runs')
    .addOption(output.argParser(fileName).conflicts('directory'))
    .addOption(directory.argParser(nonEmpty))
    .option(keep, 'with --directory: how many to keep; older ones are removed', atLeastOne)
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', help)
    .action(async ({ json, ...options }, command: CommandUnknownOpts) => {
      const { file, bytes, removed } = await context.backUp(
        targetOf(options, command),
        (count, total) => context.progress('Pages written:', count, total),
      )
      if (json) return context.print(JSON.stringify({ output: file, bytes, removed }))
      context.print(`${file}: ${bytes} bytes`)
      if (removed.length > 0) context.print(`Removed ${counted(removed.length, 'older backup')}.`)
    })
}

interface Options {
  readonly output?: string | undefined
  readonly directory?: string | undefined
  readonly keep?: number | undefined
}

function targetOf(
  { output: file, directory: folder, keep }: Options,
  command: CommandUnknownOpts,
): BackupTarget {
  if (folder !== undefined) return { folder, keep }
  if (keep !== undefined) return command.error('error: --keep needs --directory')
  if (file !== undefined) return { file }
  return command.error('error: give --output FILE or --directory FOLDER')
}

function fileName(value: string): string {
  if (value !== '-') return nonEmpty(value)
  throw new InvalidArgumentError('Name a file; a database cannot go to standard output.')
}

function atLeastOne(value: string): number {
  const number = wholeNumber(value)
  if (number > 0) return number
  throw new InvalidArgumentError('It must be 1 or more.')
}
