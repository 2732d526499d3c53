import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { CommandContext } from '../context.ts'
import { excelOption } from '../option-values.ts'
import { type RemindOptions, requireMailing } from './one-feed.ts'

const examples = `
Examples:
  bridge feed remind --never-polled
  bridge feed remind --from quiet.csv

Each person gets a mail with a new link, called mail, to their own calendar, at most once a day. Their other links keep working.
An earlier mailed link works until a calendar program asks for the new one, for at most seven days. The addresses are mailed and
not printed. status is mailed, skipped (subscribed already, left, or a calendar for others) or mail refused, with the reason.
With --from, too, people who have subscribed get nothing.

The table needs a column feedId or userId, as in feed list --csv; by userId it means all feeds that show only this person.`

/** `feed remind`: mails a new link to people who have not subscribed. */
export function feedRemindCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('remind')
    .description('mail a new link to people who have not subscribed; needs SMTP_URL')
    .option('--never-polled', 'all open feeds that no calendar program has asked for')
    .addOption(
      new Option('--from <file.csv>', 'the feeds in the table, by feedId or userId').conflicts(
        'neverPolled',
      ),
    )
    .option('--company <id>', 'only this company')
    .addOption(excelOption)
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (options: RemindOptions, command: CommandUnknownOpts) => {
      if (!options.neverPolled && options.from === undefined) {
        command.error('error: give --never-polled or --from FILE.csv')
      }
      const { remindFeeds } = await import('./table-runs.ts')
      return context.withUseCases((useCases) => {
        const mailing = requireMailing(useCases, 'feed remind', command)
        return remindFeeds(context, useCases, mailing, options)
      })
    })
}
