import { Command, Option } from 'commander'

import { commandLine, type Role, roles } from '../../domain/access/staff.ts'
import type { CommandContext } from '../context.ts'
import { linkLabel, nonEmpty } from '../option-values.ts'
import { printJson } from '../print.ts'

interface CreateOptions {
  readonly name: string
  readonly role: Role
  readonly company?: string
  readonly json?: boolean
}

const help = `
A reader sees feeds, examinations and the audit; support also makes, changes and ends feeds and links; an admin also makes
tokens and erases people. With --company it sees that company only.

Example:
  bridge token create --name helpdesk --role support`

/** `token create`: one more token, printed this once. */
export function tokenCreateCommand(context: CommandContext): Command {
  return new Command('create')
    .description('make a token; it is shown this once')
    .requiredOption('--name <name>', 'what it is called', linkLabel)
    .addOption(
      new Option('--role <role>', 'what it may do').choices(roles).makeOptionMandatory(true),
    )
    .option('--company <id>', 'the only company of which it sees anything', nonEmpty)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', help)
    .action(({ name, role, company: companyId, json = false }: CreateOptions) =>
      context.withUseCases(async ({ access }) => {
        const made = await access.apiTokens.create(commandLine, { name, role, companyId })
        if (json) return printJson(context, made)
        const where = made.companyId ?? 'all companies'
        context.print(made.token)
        context.warn(`The token "${made.name}" (${made.role}, ${where}) is shown this once.`)
      }),
    )
}
