import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { CommandContext } from './context.ts'
import { jsonObject, several } from './option-values.ts'
import { printText } from './output.ts'
import { writeOutput } from './write-output.ts'

export function exportCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('export')
    .description('write a calendar file once, without creating a feed')
    .requiredOption('--user <id>', 'person to include; repeat for several', several)
    .option('--company <id>', 'company, if there are several')
    .option('--options <json>', 'what to show, as in the API', jsonObject)
    .option('--output <file>', 'output file; - for standard output', '-')
    .option('--json', 'print what was written as JSON (with --output)')
    .addHelpText('after', '\nExample:\n  bridge export --user usr_ada --output ada.ics')
    .action(({ user, company, options, output, json }, command: CommandUnknownOpts) => {
      if (json && output === '-') return command.error('error: --json needs --output FILE')
      return context.withUseCases(async ({ administration: { creation }, exporting }) => {
        const { exportCalendar } = await import('../publishing/written-once.ts')
        const input = { userIds: user, companyId: company, options }
        const { feed } = await creation.drafts().draft(input)
        const { text, leavesMissing } = await exporting((deps) => exportCalendar(deps, feed))
        if (leavesMissing) {
          context.warn(
            'Warning: leave is missing, because it could not be proven to belong to this person.',
          )
        }
        if (output === '-') return printText(context, text)
        await writeOutput(output, text)
        const bytes = Buffer.byteLength(text)
        context.print(
          json ? JSON.stringify({ output, bytes, leavesMissing }) : `${output}: ${bytes} bytes`,
        )
      })
    })
}
