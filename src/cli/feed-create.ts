import { Command } from 'commander'

import type { CommandContext } from './context.ts'
import { jsonObject, several } from './option-values.ts'

interface FeedCreateOptions {
  readonly user: readonly string[]
  readonly company?: string
  readonly name?: string
  readonly timezone?: string
  readonly audience?: string
  readonly locale?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly json?: boolean
}

/** `feed create`: makes a feed and prints its address, the only time it is shown. */
export function feedCreateCommand(context: CommandContext): Command {
  return new Command('create')
    .description('make a feed and print its secret address, the only time it is shown')
    .requiredOption('--user <id>', 'the person in it; again for several', several)
    .option('--company <id>', 'the company, where there are several')
    .option('--name <name>', "the calendar's name")
    .option('--timezone <zone>', "the person's IANA time zone, if not the company's")
    .option('--locale <locale>', 'the language of its texts: en or de')
    .option('--audience <audience>', 'for whom it is: own or others')
    .option('--options <json>', 'what it shows, as in the API', jsonObject)
    .option('--json', 'print the feed as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  bridge feed create --user usr_ada --timezone Europe/Lisbon',
    )
    .action((options: FeedCreateOptions) => createFeed(context, options))
}

function createFeed(context: CommandContext, options: FeedCreateOptions): Promise<void> {
  const { user, company, json, ...rest } = options
  const input = { ...rest, userIds: user, ...(company === undefined ? {} : { companyId: company }) }
  return context.withUseCases(async ({ manager }) => {
    const { feed, url, warnings } = await manager.create(input)
    for (const warning of warnings) context.warn(`Warning: ${warning}`)
    context.print(json ? JSON.stringify(feed, null, 2) : `${feed.id}  ${feed.name}\n${url}`)
  })
}
