import { Command } from 'commander'

import type { CommandContext, ResetSettings } from '../context.ts'
import { companyOption } from './company-option.ts'

interface ResetOptions extends ResetSettings {
  readonly json?: boolean
}

const example = `
Example:
  bridge workforce reset --company acme`

/** `workforce reset`: takes back what was changed in a company of the Read API. */
export function workforceResetCommand({ workforce, print }: CommandContext): Command {
  return new Command('reset')
    .description(
      'take back every change: main becomes the sample of today, another what was loaded',
    )
    .addOption(companyOption())
    .option('--database <url>', 'file:… or postgres://…, if not WORKFORCE_DATABASE_URL')
    .option('--json', 'print the company as JSON')
    .addHelpText('after', example)
    .action(async ({ json, ...settings }: ResetOptions) => {
      const { companyId, isSample } = await (await workforce()).resetCompany(settings)
      if (json) return print(JSON.stringify({ companyId }))
      const what = isSample ? 'is the sample company of today' : 'holds what was loaded last'
      print(`The company ${companyId} ${what}.`)
    })
}
