import { Command } from 'commander'

import { commandLine } from '../../domain/access/staff.ts'
import type { CommandContext } from '../context.ts'
import { printJson } from '../print.ts'
import { shortTime, textTable } from '../table.ts'

const header = ['NAME', 'ROLE', 'COMPANY', 'MADE (UTC)', 'LAST USED (UTC)']

/** `token list`: every token but the admin token. */
export function tokenListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the tokens, and who used theirs last')
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', '\nExample:\n  bridge token list')
    .action(({ json = false }: { json?: boolean }) =>
      context.withUseCases(async ({ access }) => {
        const page = await access.apiTokens.list(commandLine)
        if (json) return printJson(context, page)
        if (page.data.length === 0) return context.warn('There are no tokens but the admin token.')
        const rows = page.data.map(({ name, role, companyId, createdAt, lastUsedAt }) => {
          return [name, role, companyId ?? 'all', shortTime(createdAt), shortTime(lastUsedAt)]
        })
        context.print(textTable(header, rows))
      }),
    )
}
