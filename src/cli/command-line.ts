import { Command, CommanderError } from 'commander'

import { asAppError } from '../domain/errors.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { helpWords, pathOf } from './command-path.ts'
import type { CommandContext } from './context.ts'
import { doctorCommand } from './doctor.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export.ts'
import { faultLines, isWrongUsage } from './fault-lines.ts'
import { feedCommand } from './feed/feed-command.ts'
import { personCommand } from './person.ts'
import { guarded } from './print.ts'
import { tokenCommand } from './token/token-command.ts'
import { usageSentence } from './usage-sentence.ts'
import { versionText } from './versions.ts'
import { workforceCommand } from './workforce/workforce-command.ts'

const programHelp = `
Examples:
  bridge serve                                  run it; all settings come from the environment
  bridge doctor                                 what is wrong with the connection, and what to set
  bridge feed candidates > people.csv           who could get a feed
  bridge feed create --from people.csv > links.csv
  bridge feed rotate ID --grace-days 7          a new address for one that leaked
  bridge feed create --help                     what a command takes, with examples

In the program's folder, bridge is written: npm run -s bridge --`

/** In the order of the help. */
const commands = [
  serveCommand,
  feedCommand,
  exportCommand,
  doctorCommand,
  personCommand,
  tokenCommand,
  auditCommand,
  eraseCommand,
  backupCommand,
  workforceCommand,
]

/** 0 done, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Runs the command that `words` say, and gives the exit code; errors are one sentence on standard error. */
export async function runCommandLine(
  words: readonly string[],
  edge: CommandContext,
): Promise<ExitCode> {
  const context = guarded(edge)
  const program = programOf(context, words)
  try {
    await program.parseAsync(helpWords(program, words), { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, context)
  }
}

/** Every command there is. */
export function programOf(context: CommandContext, words: readonly string[] = []): Command {
  const program = new Command('bridge')
    .description('Serves calendars of what a workforce-management system knows.')
    .version(versionText(context, words), '-V, --version', 'print the versions, also as JSON')
    .addHelpText('after', programHelp)
  for (const command of commands) program.addCommand(command(context))
  for (const command of withSubcommands(program)) configure(command, context)
  return program
}

function serveCommand({ serve }: CommandContext): Command {
  return new Command('serve')
    .description('run the bridge')
    .option('--json', 'print the addresses as JSON')
    .addHelpText('after', '\nExample:\n  PORT=8080 bridge serve')
    .action(({ json = false }: { json?: boolean }) => serve(json))
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((it) => withSubcommands(it))]
}

function configure(command: Command, { print, warn }: CommandContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => print(text.trimEnd()),
    writeErr: (text) => warn(text.trimEnd()),
    outputError: (text, write) => write(usageSentence(text, pathOf(command))),
  })
}

function reportError(error: unknown, { warn }: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const known = asAppError(error)
  if (!known) throw error
  warn(faultLines(known).join('\n'))
  return isWrongUsage(known) ? 2 : 1
}
