import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { audiences } from '../../domain/feed-options.ts'
import { locales, teamDepths } from '../../domain/feed.ts'
import type { CommandContext } from '../context.ts'
import { excelOption, graceDays, jsonObject, nonEmpty, several } from '../option-values.ts'
import { printJson, printWarnings } from '../output.ts'
import {
  addressesText,
  mailingFor,
  mailOne,
  mailOption,
  leaveDetailOption,
  reminderOption,
  optionsOf,
  warnOfAssumed,
} from './one-feed.ts'

const examples = `
Examples:
  bridge feed create --user usr_ada --timezone Europe/Lisbon
  bridge feed create --user usr_ada --user usr_bob --name "Who is away"
  bridge feed create --team-of usr_mia --depth all
  bridge feed create --from people.csv > links.csv
  bridge feed create --from people.csv --mail > links.csv

The table has the columns userId,name,timezone,locale,audience,scheduleIds,options in any order, separated by commas, semicolons
or tabs. Only userId is required. name is the calendar's name, ids in scheduleIds are separated by |, options are JSON. email is
empty or the address in the workforce system, which mail goes to; other columns are ignored. Company, user and name together
identify a feed: if it exists, the row is skipped and its status says what differs; with another name the person gets one more
calendar. All rows are checked before the first feed is created. The output is a table with each person's address and page, for
a mail merge.`

/** Options that are also columns of the table. */
const inTable = [
  'user',
  'teamOf',
  'name',
  'timezone',
  'audience',
  'locale',
  'leaveDetail',
  'reminder',
  'options',
]

export function feedCreateCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('create')
    .addOption(leaveDetailOption)
    .addOption(reminderOption)
    .description('create feeds and print their secret addresses, the only time they are shown')
    .option('--user <id>', 'person to show; repeat for several', several)
    .addOption(
      new Option('--team-of <id>', 'show everybody who reports to this manager, now and later')
        .argParser(nonEmpty)
        .conflicts('user'),
    )
    .addOption(
      new Option(
        '--depth <depth>',
        'with --team-of: only direct reports, or all at any depth',
      ).choices(teamDepths),
    )
    .addOption(
      new Option('--from <file.csv>', 'one feed for each row of the table').conflicts(inTable),
    )
    .option('--rotate-existing', 'with --from: give feeds that exist a new link')
    .option(
      '--grace-days <days>',
      'with --rotate-existing: days the old link keeps working (0–365)',
      graceDays,
    )
    .addOption(mailOption)
    .addOption(excelOption)
    .option('--company <id>', 'company, if there are several')
    .option('--name <name>', 'name of the calendar')
    .option('--timezone <zone>', "IANA time zone (default: the company's)")
    .option('--locale <locale>', `language: ${locales.join(' or ')}`)
    .option('--audience <audience>', `who reads it: ${audiences.join(' or ')}`)
    .option('--options <json>', 'what to show, as in the API', jsonObject)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action(async (options, command: CommandUnknownOpts) => {
      const { user: userIds, teamOf, from, company: companyId, json } = options
      if (options.graceDays !== undefined && !options.rotateExisting) {
        command.error('error: --grace-days goes with --rotate-existing')
      }
      if (from === undefined && (options.rotateExisting || options.excel)) {
        command.error('error: --rotate-existing and --excel go with --from FILE.csv')
      }
      if (from !== undefined) {
        const { createFromTable } = await import('./table-runs.ts')
        return createFromTable(context, from, options, command)
      }
      if (options.depth !== undefined && teamOf === undefined) {
        command.error('error: --depth goes with --team-of')
      }
      if (userIds === undefined && teamOf === undefined) {
        return command.error('error: give --user ID, --team-of ID or --from FILE.csv')
      }
      const team = teamOf === undefined ? undefined : { managerId: teamOf, depth: options.depth }
      const { name, timezone, audience, locale } = options
      const shown = { name, timezone, audience, locale, options: optionsOf(options) }
      return context.withUseCases(async (useCases) => {
        const invitations = mailingFor(useCases, options, command)
        const { creation } = useCases.administration
        const { feed, url, page, warnings } = await creation.create({
          userIds,
          team,
          companyId,
          ...shown,
        })
        printWarnings(context, warnings)
        warnOfAssumed(context, useCases)
        if (json) printJson(context, feed)
        else context.print(addressesText(`${feed.id}  ${feed.name}`, url, page))
        if (!invitations) return
        const label = feed.links[0]?.label ?? ''
        const invitation = { kind: 'invitation', feed, label, page } as const
        await mailOne(context, useCases, invitations, invitation, json)
      })
    })
}
