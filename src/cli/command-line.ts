import { Command, CommanderError } from 'commander'

import { asAppError } from '../domain/errors.ts'
import type { CommandContext } from './context.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { feedCreateCommand } from './feed-create.ts'

/** 0 done, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Runs the command that `words` say, and gives the exit code; errors are one sentence on standard error. */
export async function runCommandLine(
  words: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const program = new Command('bridge')
    .description('Serves calendars of what a workforce-management system knows.')
    .addCommand(new Command('serve').description('run the bridge').action(() => context.serve()))
    .addCommand(
      new Command('feed')
        .description('make and change feeds')
        .addCommand(feedCreateCommand(context)),
    )
    .addCommand(exportCommand(context))
    .addCommand(doctorCommand(context))
  for (const command of withSubcommands(program)) configure(command, context)
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    return reportError(error, context)
  }
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((it) => withSubcommands(it))]
}

function configure(command: Command, { print, warn }: CommandContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => print(text.trimEnd()),
    writeErr: (text) => warn(text.trimEnd()),
  })
}

function reportError(error: unknown, { warn }: CommandContext): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const known = asAppError(error)
  if (!known) throw error
  const details = known.faults.map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`)
  warn(details.length > 0 ? details.join('\n') : known.message)
  const isUsage = known.faults.some(({ pointer }) => !pointer.startsWith('/userIds'))
  return isUsage ? 2 : 1
}
