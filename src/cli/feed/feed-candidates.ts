import { Command } from 'commander'

import { AppError } from '../../domain/errors.ts'
import type { SightingProblem } from '../../domain/person.ts'
import type { Candidate } from '../../people/candidates.ts'
import type { CommandContext } from '../context.ts'
import { excelOption } from '../option-values.ts'
import { printJson, printText } from '../print.ts'

interface CandidatesOptions {
  readonly company?: string
  readonly excel?: boolean
  readonly json?: boolean
}

const examples = `
Example:
  bridge feed candidates > people.csv
  (edit people.csv: a row per person who gets a feed)
  bridge feed create --from people.csv > links.csv`

const endedSentence =
  'It was ended before it was done; nothing was changed. The same command again goes on from there.'

/** `feed candidates`: the people for whom feeds can be made, as a table for `feed create --from`. */
export function feedCandidatesCommand(context: CommandContext): Command {
  return new Command('candidates')
    .description('list the people for whom feeds can be made, as a table for feed create --from')
    .option('--company <id>', 'the company, where there are several')
    .addOption(excelOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(({ company, excel = false, json }: CandidatesOptions) =>
      context.withUseCases(async ({ connections, directory }) => {
        const { connectionOf } = await import('../../feeds/company-lookup.ts')
        const { listCandidates } = await import('../../people/candidates.ts')
        const { people, problems } = await listCandidates(
          directory,
          connectionOf(connections, company),
          (count, total) => context.progress('Asked for', count, total),
          context.interruption(new AppError('unavailable', endedSentence)),
        )
        if (json) printJson(context, { data: people })
        else printText(context, await candidatesCsv(people, excel))
        refuseIncomplete(problems)
      }),
    )
}

async function candidatesCsv(candidates: readonly Candidate[], excel: boolean): Promise<string> {
  const { writeCsv } = await import('../../feeds/import/write-csv.ts')
  return writeCsv(
    ['userId', 'displayName', 'email'],
    candidates.map(({ userId, displayName, email }) => [userId, displayName, email]),
    excel ? 'excel' : 'plain',
  )
}

/** Whoever makes feeds of the table must know that people are missing. */
function refuseIncomplete([first, ...others]: readonly SightingProblem[]): void {
  if (!first) return
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  throw new AppError(
    'upstream_unavailable',
    `People may be missing, since the ${first.source} could not be read${more}: ${first.reason}`,
  )
}
