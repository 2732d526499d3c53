import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { CompanyView } from '../feeds/company-defaults.ts'
import type { CommandContext, UseCases } from './context.ts'
import { jsonObject, nonEmpty } from './option-values.ts'
import { counted, printJson, printWarnings, textTable } from './output.ts'

const setHelp = `
The JSON is a merge patch: what it leaves out stays, null removes a default. Members are locale, name, own (options of calendars
for their own person) and others (options of calendars for others). In a name, {firstName} stands for the person's first name.
What a feed sets itself stays; all else follows at the feed's next poll.

Examples:
  bridge company set --defaults '{"locale": "de", "name": "{firstName}: Dienste"}'
  bridge company set --defaults '{"own": {"reminderMinutes": 15}}' --dry-run
  bridge company set main --defaults '{"others": {"leaves": null}}'`

export function companyCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('company')
    .description('show a company and change the defaults of its feeds')
    .addCommand(showCommand(context))
    .addCommand(setCommand(context))
}

function showCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('show')
    .description('show a company with its defaults')
    .argument('[id]', 'id of the company; not needed if there is only one', nonEmpty)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', '\nExample:\n  bridge company show')
    .action((given, { json = false }, command: CommandUnknownOpts) =>
      context.withUseCases(async (useCases) => {
        const id = companyIdOf(useCases, given, command)
        const company = await useCases.administration.companies.show(id)
        if (json) printJson(context, company)
        else context.print(tableOf(company))
      }),
    )
}

function setCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('set')
    .description('change the defaults of a company')
    .argument('[id]', 'id of the company; not needed if there is only one', nonEmpty)
    .requiredOption('--defaults <json>', 'what to change, as in the API', jsonObject)
    .option('--dry-run', 'print the result and how many feeds it would reach, change nothing')
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', setHelp)
    .action((given, { defaults, dryRun = false, json }, command: CommandUnknownOpts) =>
      context.withUseCases(async (useCases) => {
        const id = companyIdOf(useCases, given, command)
        const { companies } = useCases.administration
        const company = await companies.change(id, { defaults }, { isDry: dryRun })
        if (json) return printJson(context, company)
        const { reachedFeeds, openFeeds, warnings = [] } = company
        printWarnings(context, warnings)
        context.print(tableOf(company))
        const reaches = dryRun ? 'Would reach' : 'Reaches'
        context.print(
          `${reaches} ${reachedFeeds} of ${counted(openFeeds, 'open feed')}, each at its next poll.`,
        )
      }),
    )
}

function companyIdOf(
  { connections }: UseCases,
  given: string | undefined,
  command: CommandUnknownOpts,
): string {
  const [only, ...others] = connections.keys()
  if (given !== undefined) return given
  if (only !== undefined && others.length === 0) return only
  return command.error(
    `error: give the id of the company, one of ${[...connections.keys()].join(', ')}`,
  )
}

function tableOf({ id, name, timezone, defaults, openFeeds }: CompanyView): string {
  const { locale, name: template, own, others } = defaults
  return textTable(
    ['company', id],
    [
      ['name', name],
      ['time zone', timezone],
      ['open feeds', String(openFeeds)],
      ['default language', locale ?? '–'],
      ['default name', template ?? '–'],
      ['default options, own', textOf(own)],
      ['default options, others', textOf(others)],
    ],
  )
}

function textOf(options: object): string {
  return Object.keys(options).length === 0 ? '–' : JSON.stringify(options)
}
