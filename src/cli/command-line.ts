import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { type AppError, asFailure, type InputFault } from '../domain/errors.ts'
import { printable } from '../text/plain-text.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { companyCommand } from './company.ts'
import type { CommandContext } from './context.ts'
import { doctorCommand } from './doctor.ts'
import { explainCommand } from './explain.ts'
import { exportCommand } from './export.ts'
import { feedCommand } from './feed/feed-command.ts'
import { migrateCommand } from './migrate.ts'
import { peopleCommand } from './people.ts'
import { eraseCommand, personCommand } from './person.ts'
import { restoreCommand } from './restore.ts'
import { tokenCommand } from './token.ts'
import { workforceCommand } from './workforce.ts'

const programHelp = `
Examples:
  bridge serve                                  run the bridge; settings come from the environment
  bridge doctor                                 check the connection and say what to set
  bridge feed candidates > people.csv           list the people who could get a feed
  bridge feed create --from people.csv > links.csv
  bridge feed rotate ID --grace-days 7          replace an address that leaked
  bridge explain --user ID --date 2026-03-20    say why something is missing from a calendar
  bridge feed create --help                     show a command's options, with examples

In the program's folder, write npm run -s bridge -- in place of bridge.`

/** 0 done, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Runs the command and returns its exit code; prints errors as one sentence to standard error. */
export async function runCommandLine(
  words: readonly string[],
  edge: CommandContext,
): Promise<ExitCode> {
  const context = guarded(edge)
  const program = programOf(context, words)
  try {
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const known = asFailure(error)
    context.warn(faultLines(known).join('\n'))
    return isWrongUsage(known) ? 2 : 1
  }
}

function programOf(context: CommandContext, words: readonly string[] = []): Command {
  const program = new Command('bridge')
    .description('Serves calendars from a workforce-management system.')
    .version(versionText(context, words), '-V, --version', 'print the versions (--json for JSON)')
    .addHelpText('after', programHelp)
    .addCommand(serveCommand(context))
    .addCommand(feedCommand(context))
    .addCommand(explainCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(companyCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(peopleCommand(context))
    .addCommand(personCommand(context))
    .addCommand(tokenCommand(context))
    .addCommand(auditCommand(context))
    .addCommand(eraseCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(workforceCommand(context))
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.warn(text.trimEnd()),
      outputError: (text, write) => write(usageSentence(text, pathOf(command))),
    })
  }
  return program
}

/** The same context, but no line can contain terminal control sequences. */
function guarded(context: CommandContext): CommandContext {
  return {
    ...context,
    print: (text, as) => context.print(as === 'file' ? text : printable(text), as),
    warn: (text) => context.warn(printable(text)),
    progress: (done, ...counts) => context.progress(printable(done), ...counts),
  }
}

function versionText({ versions }: CommandContext, words: readonly string[]): string {
  if (words.includes('--json')) return JSON.stringify(versions, null, 2)
  const { version, node, sqlite, timeZones } = versions
  return [
    `calendar-feed-bridge ${version}`,
    `Node ${node}`,
    `SQLite ${sqlite}`,
    `time-zone data ${timeZones}`,
  ].join('\n')
}

function serveCommand({ serve }: CommandContext): CommandUnknownOpts {
  return new Command('serve')
    .description('run the bridge')
    .option('--json', 'print the addresses as JSON')
    .addHelpText('after', '\nExample:\n  PORT=8080 bridge serve')
    .action(({ json = false }) => serve(json))
}

function withSubcommands(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap((it) => withSubcommands(it))]
}

/** Such as `bridge feed list`. */
function pathOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}

/** Returns one sentence for wrong usage, from commander's text: with the suggestion, or where to find help. */
export function usageSentence(text: string, path: string): string {
  const [said = '', hint = ''] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n')
  const meant = /^\(Did you mean (.*)\?\)$/.exec(hint)?.[1]
  const sentence = said.charAt(0).toUpperCase() + said.slice(1).replace(/\.$/, '')
  if (meant !== undefined) return `${sentence}; did you mean \`${meant}\`?`
  const needsHelp = /^(unknown|too many|missing|required)/.test(said)
  return `${sentence}${needsHelp ? `; see \`${path} --help\`` : ''}.`
}

/** Input fields with a flag of another name. */
const otherFlags: Readonly<Record<string, string>> = {
  userIds: '--user',
  userId: '--user',
  team: '--team-of',
  companyId: '--company',
}

/** Each fault on its own line, with its flag or table row; the result on the last line. */
function faultLines({ message, faults, moreFaults }: AppError): readonly string[] {
  if (faults.length === 0) return [message]
  const lines = faults.map((fault) =>
    isOfTable(fault) ? fault.detail : `${flagOf(fault)}: ${fault.detail}`,
  )
  if (faults.some(({ pointer }) => /\/(userIds\/\d+|managerId)$/.test(pointer))) {
    lines.push('To list the people who can get a feed, run bridge feed candidates.')
  }
  return moreFaults > 0 || faults.some(isOfTable) ? [...lines, message] : lines
}

/** Wrong arguments, as opposed to something missing or in the wrong state. */
function isWrongUsage({ faults }: AppError): boolean {
  return faults.some((fault) => !/^\/(userIds|team)/.test(fault.pointer) && !isOfTable(fault))
}

function isOfTable({ pointer }: InputFault): boolean {
  return /^\/\d/.test(pointer)
}

/** Such as `--grace-days`; within JSON also its path, `--options (leaves.detail)`. */
function flagOf({ pointer }: InputFault): string {
  const [, member = '', ...rest] = pointer.split('/')
  const inKebab = member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const flag = otherFlags[member] ?? `--${inKebab}`
  const isJson = member === 'options' || member === 'defaults'
  return isJson && rest.length > 0 ? `${flag} (${rest.join('.')})` : flag
}
