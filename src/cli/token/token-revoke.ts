import { Command } from 'commander'

import { commandLine } from '../../domain/access/staff.ts'
import type { CommandContext } from '../context.ts'
import { printJson } from '../print.ts'

/** `token revoke`: the token opens nothing any more. */
export function tokenRevokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('end a token at once, on every node')
    .argument('<name>', 'what it is called')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  bridge token revoke helpdesk')
    .action((name: string, { json = false }: { json?: boolean }) =>
      context.withUseCases(async ({ access }) => {
        await access.apiTokens.revoke(commandLine, name)
        if (json) printJson(context, { name, revoked: true })
        else context.print(`The token "${name}" opens nothing any more.`)
      }),
    )
}
