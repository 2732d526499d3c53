import { Command, Option } from 'commander'

import type { CommandContext } from '../context.ts'
import { excelOption } from '../option-values.ts'
import { requireMailing } from './mailing.ts'

export interface RemindOptions {
  readonly neverPolled?: boolean
  readonly from?: string
  readonly company?: string
  readonly excel?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  bridge feed remind --never-polled
  bridge feed remind --from quiet.csv

Each person gets a new link called mail to their own calendar by mail, once a day at most. What they have goes on; a link that
was mailed so before goes on until a calendar program asks for the new one, for seven days at most. The addresses are
mailed and not printed; status says mailed, skipped with the reason (somebody has subscribed, or left, or it is a calendar for
others), or mail refused with the reason. With --from, too, somebody who has subscribed gets nothing.

The table needs a column feedId or userId, as those have that this program prints, such as that of feed list --csv; by userId
all feeds are meant that this person has alone.`

/** `feed remind`: mails a new link to people who have not subscribed. */
export function feedRemindCommand(context: CommandContext): Command {
  return new Command('remind')
    .description('mail a new link to people who have not subscribed; needs SMTP_URL')
    .option('--never-polled', 'of all open feeds that no calendar program has asked for')
    .addOption(
      new Option('--from <file.csv>', 'of the feeds of the table, by feedId or userId').conflicts(
        'neverPolled',
      ),
    )
    .option('--company <id>', 'only of this company')
    .addOption(excelOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (options: RemindOptions, command: Command) => {
      if (!options.neverPolled && options.from === undefined) {
        command.error('error: say whom with --never-polled, or --from FILE.csv')
      }
      const { remindFeeds } = await import('./remind-feeds.ts')
      return context.withUseCases((useCases) => {
        const mailing = requireMailing(useCases, 'feed remind', command)
        return remindFeeds(context, useCases, { ...options, mailing })
      })
    })
}
