import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { AppError } from '../../domain/errors.ts'
import type { CommandContext } from '../context.ts'
import { excelOption } from '../option-values.ts'
import { printJson, printText } from '../output.ts'

const examples = `
Example:
  bridge feed candidates > people.csv
  (edit people.csv: one row for each person who gets a feed)
  bridge feed create --from people.csv > links.csv`

/** `feed candidates`: the people who can get a feed, as a table for `feed create --from`. */
export function feedCandidatesCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('candidates')
    .description('list the people who can get a feed, as a table for feed create --from')
    .option('--company <id>', 'company, if there are several')
    .addOption(excelOption)
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(({ company, excel = false, json }) =>
      context.withUseCases(async ({ connections, directory }) => {
        const { connectionOf } = await import('../../feeds/company-lookup.ts')
        const { listCandidates } = await import('../../people/candidates.ts')
        const { people, problems } = await listCandidates(
          directory,
          connectionOf(connections, company),
          (count, total) => context.progress('Asked for', count, total),
          context.interruption(
            new AppError(
              'unavailable',
              'Stopped before the end; nothing was changed. Run the same command again to continue.',
            ),
          ),
        )
        if (json) printJson(context, { data: people })
        else {
          const { writeCsv } = await import('../../feeds/bulk/write-table.ts')
          const rows = people.map(({ userId, displayName, email }) => [userId, displayName, email])
          const form = excel ? 'excel' : 'plain'
          printText(context, writeCsv(['userId', 'displayName', 'email'], rows, form))
        }
        // The table goes into feed create: an incomplete one must not pass for a whole one.
        const [first, ...others] = problems
        if (!first) return
        const more = others.length > 0 ? ` (and ${others.length} more)` : ''
        throw new AppError(
          'upstream_unavailable',
          `People may be missing: the ${first.source} could not be read${more}: ${first.reason}`,
        )
      }),
    )
}
