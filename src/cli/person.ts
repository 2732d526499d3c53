import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { commandLine } from '../domain/access/staff.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'
import { printJson } from './output.ts'

const confirmHelp = `
An id is on hold once it was read twice with another name and another mail address than before. Until you confirm it, calendars
keep what they showed and show nothing new. doctor lists the ids on hold.

Examples:
  bridge person confirm --user usr_ada --same     same person, new name and address
  bridge person confirm --user usr_ada --other    another person: the existing calendars end`

export function personCommand(context: CommandContext): CommandUnknownOpts {
  const confirm = new Command('confirm')
    .description('confirm whether an id on hold is still the same person')
    .requiredOption('--user <id>', 'id of the person', nonEmpty)
    .addOption(new Option('--same', 'same person: everything continues').conflicts('other'))
    .addOption(new Option('--other', 'another person: the existing calendars end'))
    .option('--company <id>', 'company, if the id is on hold in several', nonEmpty)
    .option('--json', 'print what was confirmed as JSON')
    .addHelpText('after', confirmHelp)
    .action(({ user, same = false, other = false, company, json }, command: CommandUnknownOpts) => {
      if (!same && !other) command.error('error: give --same or --other')
      return context.withUseCases(async ({ confirming }) => {
        const { confirmPerson } = await import('../people/identities.ts')
        const input = { userId: user, companyId: company, isSame: same }
        const confirmed = await confirmPerson(confirming, input, commandLine)
        const { userId } = confirmed
        if (json) return printJson(context, confirmed)
        context.print(
          same
            ? `${userId} is the same person. The new name and mail address are saved, and calendars continue.`
            : `${userId} is another person. The existing calendars have ended; run feed create --user ${userId} for a new one.`,
        )
      })
    })
  return new Command('person')
    .description('confirm who a person is, or export what is kept about them')
    .addCommand(confirm)
    .addCommand(exportPersonCommand(context))
}

function exportPersonCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('export')
    .description('print everything kept about a person as JSON, without secrets and other people')
    .requiredOption('--user <id>', 'id of the person', nonEmpty)
    .option('--company <id>', 'company, if several know the id', nonEmpty)
    .option('--json', 'print JSON, as always')
    .addHelpText('after', '\nExample:\n  bridge person export --user usr_ada > ada.json')
    .action(({ user, company }) =>
      context.withUseCases(async ({ exportingPerson, administration: { listing } }) => {
        const { exportPerson } = await import('../feeds/person-data.ts')
        const input = { userId: user, companyId: company }
        printJson(context, await exportPerson(exportingPerson, listing, input, commandLine))
      }),
    )
}

export function eraseCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('erase')
    .description('remove everything kept about a person')
    .requiredOption('--user <id>', 'id of the person', nonEmpty)
    .option('--company <id>', 'company, if several know the id', nonEmpty)
    .option('--dry-run', 'only print what would be removed')
    .option('--json', 'print what was removed as JSON')
    .addHelpText('after', '\nExample:\n  bridge erase --user usr_ada --dry-run')
    .action(({ user, company, dryRun, json }) =>
      context.withUseCases(async ({ erasing }) => {
        const { describeErasure, erasePerson } = await import('../people/erasure.ts')
        const input = { userId: user, companyId: company, isDry: dryRun === true }
        const erasure = await erasePerson(erasing, input, commandLine)
        if (json) printJson(context, erasure)
        else context.print(describeErasure(erasure))
      }),
    )
}
