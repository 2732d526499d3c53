import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { feedCandidatesCommand } from './feed-candidates.ts'
import { feedCreateCommand } from './feed-create.ts'
import { feedLinkCommand } from './feed-link.ts'
import { feedListCommand } from './feed-list.ts'
import { feedRemindCommand } from './feed-remind.ts'
import { feedRevokeCommand } from './feed-revoke.ts'
import { feedRotateCommand } from './feed-rotate.ts'
import { feedShowCommand } from './feed-show.ts'
import { feedUpdateCommand } from './feed-update.ts'

/** In the order of the help. */
const commands = [
  feedCandidatesCommand,
  feedCreateCommand,
  feedListCommand,
  feedShowCommand,
  feedUpdateCommand,
  feedLinkCommand,
  feedRemindCommand,
  feedRotateCommand,
  feedRevokeCommand,
]

/** `feed …`: what HR and IT do with feeds. */
export function feedCommand(context: CommandContext): Command {
  const feed = new Command('feed')
    .description('make, change and end feeds')
    .hook('preSubcommand', (_, command) => addOptionsHelp(command))
  for (const command of commands) feed.addCommand(command(context))
  return feed
}

/** The table of options takes longer to load than all commands: it is there for those alone that are given options. */
async function addOptionsHelp(command: Command): Promise<void> {
  if (!command.options.some(({ long }) => long === '--options')) return
  const { optionsHelp } = await import('./options-help.ts')
  command.addHelpText('after', optionsHelp)
}
