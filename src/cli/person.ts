import { Command, Option } from 'commander'

import { commandLine } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'
import { printJson } from './print.ts'

interface ConfirmOptions {
  readonly user: string
  readonly same?: boolean
  readonly other?: boolean
  readonly company?: string
  readonly json?: boolean
}

const help = `
An id is held once it has been read twice with another name and another mail address than before: calendars
show what they showed until then, and nothing new. doctor names the ids that are held.

Examples:
  bridge person confirm --user usr_ada --same     a new name and a new address, the same person
  bridge person confirm --user usr_ada --other    somebody else: their calendars so far end`

/** `person …`: what is known of single people. */
export function personCommand(context: CommandContext): Command {
  return new Command('person')
    .description('say who somebody is')
    .addCommand(confirmCommand(context))
}

function confirmCommand(context: CommandContext): Command {
  return new Command('confirm')
    .description('say whether an id that is held is still the same person')
    .requiredOption('--user <id>', 'the id', nonEmpty)
    .addOption(new Option('--same', 'it is: everything goes on').conflicts('other'))
    .addOption(new Option('--other', 'it is not: the calendars so far end'))
    .option('--company <id>', 'the company, where it is held in several', nonEmpty)
    .option('--json', 'print what was confirmed as JSON')
    .addHelpText('after', help)
    .action(({ user, same = false, other = false, company, json }: ConfirmOptions) => {
      if (!same && !other) throw neither()
      return context.withUseCases(async ({ confirming }) => {
        const { confirmPerson } = await import('../people/person-confirmation.ts')
        const input = { userId: user, companyId: company, isSame: same }
        const confirmed = await confirmPerson(confirming, input, commandLine)
        if (json) printJson(context, confirmed)
        else context.print(same ? sameText(confirmed.userId) : otherText(confirmed.userId))
      })
    })
}

function sameText(userId: string): string {
  return `${userId} is the same person: the new name and mail address are taken over, calendars go on.`
}

function otherText(userId: string): string {
  return `${userId} is another person: the calendars so far have ended. Make a new one with feed create --user ${userId}.`
}

function neither(): AppError {
  const faults = [{ pointer: '/same', detail: 'Must be given, or --other.' }]
  return new AppError('invalid', 'It takes --same or --other.', { faults })
}
