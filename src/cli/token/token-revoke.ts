import { Command } from 'commander'

import { commandLine } from '../../domain/access/staff.ts'
import type { CommandContext } from '../context.ts'
import { nonEmpty } from '../option-values.ts'
import { printJson } from '../print.ts'

interface RevokeOptions {
  readonly company?: string
  readonly json?: boolean
}

/** `token revoke`: the token opens nothing any more. */
export function tokenRevokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('end a token at once, on every node')
    .argument('<name>', 'what it is called')
    .option(
      '--company <id>',
      'the company of the token; if not given, the token of all companies, or else the only one',
      nonEmpty,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  bridge token revoke helpdesk')
    .action((name: string, { company, json = false }: RevokeOptions) =>
      context.withUseCases(async ({ access }) => {
        const { companyId } = await access.apiTokens.revoke(commandLine, name, company)
        if (json) return printJson(context, { name, companyId, revoked: true })
        const of = companyId === null ? 'all companies' : `company "${companyId}"`
        context.print(`The token "${name}" of ${of} opens nothing any more.`)
      }),
    )
}
