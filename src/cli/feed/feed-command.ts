import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { CommandContext } from '../context.ts'
import {
  feedLinkCommand,
  feedRemindCommand,
  feedRevokeCommand,
  feedRotateCommand,
  feedUpdateCommand,
} from './feed-change.ts'
import { feedCreateCommand } from './feed-create.ts'
import { feedCandidatesCommand, feedListCommand, feedShowCommand } from './feed-list.ts'

export function feedCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('feed')
    .description('create, change and end feeds')
    .hook('preSubcommand', (_, command) => addOptionsHelp(command))
    .addCommand(feedCandidatesCommand(context))
    .addCommand(feedCreateCommand(context))
    .addCommand(feedListCommand(context))
    .addCommand(feedShowCommand(context))
    .addCommand(feedUpdateCommand(context))
    .addCommand(feedLinkCommand(context))
    .addCommand(feedRemindCommand(context))
    .addCommand(feedRotateCommand(context))
    .addCommand(feedRevokeCommand(context))
}

/** Loads the table of options only for commands with `--options`, since it takes longer than all commands together. */
async function addOptionsHelp(command: CommandUnknownOpts): Promise<void> {
  if (!command.options.some(({ long }) => long === '--options')) return
  const { listOptions } = await import('../../feeds/feed-options.ts')
  const entries = listOptions().map(({ name, meaning, values, defaults, example }) => {
    const { own, others } = defaults
    const both = own === others ? own : `${own}; for a feed for others ${others}`
    return `  ${name}: ${values}\n      ${meaning}.\n      Default: ${both}. Example: '${example}'`
  })
  command.addHelpText(
    'after',
    `\nOptions, as JSON; anything left out has its default:\n${entries.join('\n')}`,
  )
}
