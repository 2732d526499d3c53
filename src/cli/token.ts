import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { commandLine, roles } from '../domain/access/staff.ts'
import type { CommandContext } from './context.ts'
import { linkLabel, nonEmpty } from './option-values.ts'
import { printJson, shortTime, textTable } from './output.ts'

const createHelp = `
A reader sees feeds, companies, people, examinations and the audit log. Support can also create, change and end feeds and links.
An admin can also set defaults, create tokens, and export and erase people. With --company, the token works for that company only.

Example:
  bridge token create --name helpdesk --role support`

export function tokenCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('token')
    .description('create, list and revoke API tokens')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
}

function createCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('create')
    .description('create a token and print it, the only time it is shown')
    .requiredOption('--name <name>', 'name of the token', linkLabel)
    .addOption(
      new Option('--role <role>', 'what it can do').choices(roles).makeOptionMandatory(true),
    )
    .option('--company <id>', 'limit the token to this company', nonEmpty)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', createHelp)
    .action(({ name, role, company: companyId, json = false }) =>
      context.withUseCases(async ({ access }) => {
        const made = await access.apiTokens.create(commandLine, { name, role, companyId })
        if (json) return printJson(context, made)
        const where = made.companyId ?? 'all companies'
        context.print(made.token)
        context.warn(`Token "${made.name}" (${made.role}, ${where}). It is not shown again.`)
      }),
    )
}

function listCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('list')
    .description('list the tokens and when each was last used')
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', '\nExample:\n  bridge token list')
    .action(({ json = false }) =>
      context.withUseCases(async ({ access }) => {
        const page = await access.apiTokens.list(commandLine)
        if (json) return printJson(context, page)
        if (page.data.length === 0) return context.warn('There is only the admin token.')
        const rows = page.data.map(({ name, role, companyId, createdAt, lastUsedAt }) => {
          return [name, role, companyId ?? 'all', shortTime(createdAt), shortTime(lastUsedAt)]
        })
        const header = ['NAME', 'ROLE', 'COMPANY', 'CREATED (UTC)', 'LAST USED (UTC)']
        context.print(textTable(header, rows))
      }),
    )
}

function revokeCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('revoke')
    .description('end a token at once, on every node')
    .argument('<name>', 'name of the token')
    .option(
      '--company <id>',
      'company of the token (default: the token for all companies, or else the only one with this name)',
      nonEmpty,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  bridge token revoke helpdesk')
    .action((name, { company, json = false }) =>
      context.withUseCases(async ({ access }) => {
        const { companyId } = await access.apiTokens.revoke(commandLine, name, company)
        if (json) return printJson(context, { name, companyId, revoked: true })
        const of = companyId === null ? 'all companies' : `company "${companyId}"`
        context.print(`Token "${name}" for ${of} has ended.`)
      }),
    )
}
