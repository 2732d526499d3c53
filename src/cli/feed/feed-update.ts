import { Command } from 'commander'

import { locales } from '../../domain/feed.ts'
import type { CommandContext } from '../context.ts'
import { jsonObject, several } from '../option-values.ts'
import { printJson, printWarnings } from '../print.ts'
import { type OptionFlags, optionFlags, optionsOf } from './option-flags.ts'

interface UpdateOptions extends OptionFlags {
  readonly name?: string
  readonly timezone?: string
  readonly locale?: string
  readonly user?: readonly string[]
  readonly json?: boolean
}

const examples = `
Examples:
  bridge feed update feed_0123456789abcdef --timezone Europe/Lisbon
  bridge feed update feed_0123456789abcdef --options '{"timesheets": {"show": false}}'

Options are merged over those that are there (RFC 7396); null takes the default again. No address changes.`

/** `feed update`: changes a feed, its addresses stay. */
export function feedUpdateCommand(context: CommandContext): Command {
  const update = new Command('update')
  for (const option of optionFlags()) update.addOption(option)
  return update
    .description('change a feed; its addresses stay')
    .argument('<id>', "the feed's id")
    .option('--name <name>', "the calendar's name")
    .option('--timezone <zone>', 'the IANA time zone')
    .option('--locale <locale>', `the language of its texts: ${locales.join(' or ')}`)
    .option('--user <id>', 'who is in it, of a feed for others; again for several', several)
    .option('--options <json>', 'what is to change, as in the API', jsonObject)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action((id: string, { json, user, ...given }: UpdateOptions, command: Command) => {
      const { name, timezone, locale } = given
      const options = optionsOf(given)
      const patch = { name, timezone, locale, options, userIds: user }
      if (Object.values(patch).every((it) => it === undefined))
        command.error('error: say what is to change')
      return context.withUseCases(async ({ administration: { changes } }) => {
        const { feed, warnings } = await changes.update(id, patch)
        printWarnings(context, warnings)
        if (json) printJson(context, feed)
        else context.print(`${feed.id}  ${feed.name}: changed.`)
      })
    })
}
