import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { tokenCreateCommand } from './token-create.ts'
import { tokenListCommand } from './token-list.ts'
import { tokenRevokeCommand } from './token-revoke.ts'

/** `token …`: further tokens for the API. */
export function tokenCommand(context: CommandContext): Command {
  return new Command('token')
    .description('make, list and revoke further tokens for the API')
    .addCommand(tokenCreateCommand(context))
    .addCommand(tokenListCommand(context))
    .addCommand(tokenRevokeCommand(context))
}
