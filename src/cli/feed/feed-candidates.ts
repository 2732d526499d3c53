import { Command } from 'commander'

import { connectionOf } from '../../feeds/company-lookup.ts'
import { writeCsv } from '../../feeds/import/csv.ts'
import { type Candidate, listCandidates } from '../../people/candidates.ts'
import type { CommandContext } from '../context.ts'
import { printJson, printText } from '../print.ts'

interface CandidatesOptions {
  readonly company?: string
  readonly json?: boolean
}

const examples = `
Example:
  bridge feed candidates > people.csv
  (edit people.csv: a row per person who gets a feed; its name becomes the calendar's name)
  bridge feed create --from people.csv > links.csv`

/** `feed candidates`: the people for whom feeds can be made, as a table for `feed create --from`. */
export function feedCandidatesCommand(context: CommandContext): Command {
  return new Command('candidates')
    .description('list the people for whom feeds can be made, as a table for feed create --from')
    .option('--company <id>', 'the company, where there are several')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(({ company, json }: CandidatesOptions) =>
      context.withUseCases(async ({ connections }) => {
        const candidates = await listCandidates(
          connectionOf(connections, company),
          (count, total) => context.progress('Asked for', count, total),
        )
        if (json) printJson(context, { data: candidates })
        else printText(context, candidatesCsv(candidates))
      }),
    )
}

function candidatesCsv(candidates: readonly Candidate[]): string {
  return writeCsv(
    ['userId', 'name', 'email'],
    candidates.map(({ userId, name, email }) => [userId, name, email]),
  )
}
