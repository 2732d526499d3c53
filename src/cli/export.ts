import { Command } from 'commander'

import type { CommandContext } from './context.ts'
import { jsonObject, several } from './option-values.ts'
import { printText } from './print.ts'
import { writeOutput } from './write-output.ts'

interface ExportOptions {
  readonly user: readonly string[]
  readonly company?: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly output: string
  readonly json?: boolean
}

/** `export`: writes a calendar once, without a feed. */
export function exportCommand(context: CommandContext): Command {
  return new Command('export')
    .description('write a calendar file once, without making a feed')
    .requiredOption('--user <id>', 'the person in it; again for several', several)
    .option('--company <id>', 'the company, where there are several')
    .option('--options <json>', 'what it shows, as in the API', jsonObject)
    .option('--output <file>', 'where to; - is standard output', '-')
    .option('--json', 'print what was written as JSON (with --output)')
    .addHelpText('after', '\nExample:\n  bridge export --user usr_ada --output ada.ics')
    .action((options: ExportOptions, command: Command) => {
      if (options.json && options.output === '-') {
        return command.error('error: --json says what was written to a file: give --output FILE')
      }
      return writeCalendar(context, options)
    })
}

function writeCalendar(context: CommandContext, options: ExportOptions): Promise<void> {
  const { user, company, output, json } = options
  const input = { userIds: user, companyId: company, options: options.options }
  return context.withUseCases(async ({ administration: { creation }, exporting }) => {
    const { exportCalendar } = await import('../publishing/export-calendar.ts')
    const { feed } = await creation.drafts().draft(input)
    const { text, leavesMissing } = await exporting((deps) => exportCalendar(deps, feed))
    if (leavesMissing) {
      context.warn(
        'Warning: leaves are missing, since they could not be proven to be this person’s own.',
      )
    }
    if (output === '-') return printText(context, text)
    await writeOutput(output, text)
    const bytes = Buffer.byteLength(text)
    context.print(
      json ? JSON.stringify({ output, bytes, leavesMissing }) : `${output}: ${bytes} bytes`,
    )
  })
}
