import { Command, Option } from 'commander'

import type { Invitations } from '../../access/mail/invitations.ts'
import { audiences } from '../../domain/feed-options.ts'
import { locales } from '../../domain/feed.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { excelOption, graceDays, jsonObject, several } from '../option-values.ts'
import { printJson, printWarnings } from '../print.ts'
import { addressesText, warnOfAssumed } from './addresses.ts'
import { mailingFor, mailOne, mailOption } from './mailing.ts'
import { type OptionFlags, optionFlags, optionsOf } from './option-flags.ts'

interface FeedCreateOptions extends OptionFlags {
  readonly user?: readonly string[]
  readonly from?: string
  readonly rotateExisting?: boolean
  readonly graceDays?: number
  readonly excel?: boolean
  readonly company?: string
  readonly name?: string
  readonly timezone?: string
  readonly audience?: string
  readonly locale?: string
  readonly mail?: boolean
  readonly json?: boolean
}

interface FeedCreation extends FeedCreateOptions {
  readonly mailing: (useCases: UseCases) => Invitations | null
}

const examples = `
Examples:
  bridge feed create --user usr_ada --timezone Europe/Lisbon
  bridge feed create --user usr_ada --user usr_bob --name "Who is away"
  bridge feed create --from people.csv > links.csv
  bridge feed create --from people.csv --mail > links.csv

The table has the columns userId,name,timezone,locale,audience,scheduleIds,options in any order. Only userId is needed;
name is the calendar's name, ids in scheduleIds are separated by |, options are JSON. email may be empty or the address that
the workforce system has, to which mail goes; other columns are left alone. The table may be separated by commas, semicolons
or tabs. Company, user and name together decide whether a feed exists: such a row is skipped, and its status says where it
differs; under another name a person gets one more calendar. All rows are checked before the first feed is made. What comes
out is a table with each person's address and page for a mail merge.`

/** `feed create`: makes a feed, or one per row of a table, and prints the addresses, the only time they are shown. */
export function feedCreateCommand(context: CommandContext): Command {
  const create = new Command('create')
  for (const option of optionFlags()) create.addOption(option)
  return create
    .description('make feeds and print their secret addresses, the only time they are shown')
    .option('--user <id>', 'the person in it; again for several', several)
    .addOption(
      new Option('--from <file.csv>', 'one feed per row of the table').conflicts([
        'user',
        'name',
        'timezone',
        'audience',
        'locale',
        'leaveDetail',
        'reminder',
        'options',
      ]),
    )
    .option('--rotate-existing', 'with --from: a new link where the feed exists, instead of none')
    .option(
      '--grace-days <days>',
      'with --rotate-existing: the old link goes on, 0 to 365',
      graceDays,
    )
    .addOption(mailOption())
    .addOption(excelOption())
    .option('--company <id>', 'the company, where there are several')
    .option('--name <name>', "the calendar's name")
    .option('--timezone <zone>', "the person's IANA time zone, if not the company's")
    .option('--locale <locale>', `the language of its texts: ${locales.join(' or ')}`)
    .option('--audience <audience>', `for whom it is: ${audiences.join(' or ')}`)
    .option('--options <json>', 'what it shows, as in the API', jsonObject)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action(async (options: FeedCreateOptions, command: Command) => {
      const { user, from } = options
      refuseAlone(options, command)
      const mailing = (useCases: UseCases): Invitations | null =>
        mailingFor(useCases, options, command)
      if (user !== undefined) return createFeed(context, user, { ...options, mailing })
      if (from === undefined) {
        return command.error('error: say for whom with --user ID, or --from FILE.csv')
      }
      const { createFromTable } = await import('./create-from-table.ts')
      return createFromTable(context, from, { ...options, mailing })
    })
}

function createFeed(
  context: CommandContext,
  userIds: readonly string[],
  { company, name, timezone, audience, locale, json, mailing, ...given }: FeedCreation,
): Promise<void> {
  const options = optionsOf(given)
  const input = { userIds, companyId: company, name, timezone, audience, locale, options }
  return context.withUseCases(async (useCases) => {
    const { creation } = useCases.administration
    const invitations = mailing(useCases)
    const { feed, url, page, warnings } = await creation.create(input)
    printWarnings(context, warnings)
    warnOfAssumed(context, useCases)
    if (json) printJson(context, feed)
    else context.print(addressesText(`${feed.id}  ${feed.name}`, { url, page }))
    if (!invitations) return
    const label = feed.links[0]?.label ?? ''
    const invitation = { kind: 'invitation', feed, label, page, invitations } as const
    await mailOne(context, useCases, invitation, json)
  })
}

/** What means nothing without another option. */
function refuseAlone(options: FeedCreateOptions, command: Command): void {
  if (options.rotateExisting && options.from === undefined) {
    command.error('error: --rotate-existing goes with --from FILE.csv')
  }
  if (options.graceDays !== undefined && !options.rotateExisting) {
    command.error('error: --grace-days goes with --rotate-existing')
  }
  if (options.excel && options.from === undefined) {
    command.error('error: --excel goes with --from FILE.csv')
  }
}
