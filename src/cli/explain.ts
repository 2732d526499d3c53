import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { commandLine } from '../domain/access/staff.ts'
import { recordKinds } from '../domain/kinds.ts'
import type { ExplanationView } from '../feeds/feed-explanation.ts'
import type { CommandContext } from './context.ts'
import { linkLabel, nonEmpty } from './option-values.ts'
import { printJson, shortTime, textTable } from './output.ts'

const explainHelp = `
It reads the workforce system as a poll of the calendar would, and changes nothing. For a person without a calendar of their own,
it explains the one that they would get.

Examples:
  bridge explain --user usr_bob --date 2026-03-20    why is Bob's Friday missing?
  bridge explain --feed ID --kind leave`

export function explainCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('explain')
    .description('say why something is in a calendar or missing from it')
    .addOption(
      new Option('--user <id>', "explain this person's own calendar")
        .argParser(nonEmpty)
        .conflicts('feed'),
    )
    .option('--feed <id>', 'id of the feed, or one of its addresses', nonEmpty)
    .option('--company <id>', 'company, if there are several (with --user)', nonEmpty)
    .option('--date <date>', 'only what touches this date, such as 2026-03-20')
    .addOption(new Option('--kind <kind>', 'only records of this kind').choices(recordKinds))
    .option('--label <label>', 'as this link shows it; default: all links together', linkLabel)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', explainHelp)
    .action(({ user, feed, company, date, kind, label, json }, command: CommandUnknownOpts) => {
      if (user === undefined && feed === undefined) command.error('error: give --user or --feed')
      if (feed !== undefined && company !== undefined) {
        command.error('error: --company needs --user')
      }
      return context.withUseCases(async ({ explaining, administration, exporting }) => {
        const { explainFeed, explainPerson } = await import('../feeds/feed-explanation.ts')
        const query = { date, kind, label }
        let explanation: ExplanationView
        if (feed === undefined) {
          const deps = { ...explaining, administration, exporting }
          explanation = await explainPerson(deps, user ?? '', company, query)
        } else {
          const { id, ...of } = await administration.listing.find(feed)
          const asked = { ...of, ...(label === undefined ? {} : { label }), date, kind }
          explanation = await explainFeed(explaining, commandLine, id, asked)
        }
        if (json) printJson(context, explanation)
        else context.print(explanationText(explanation))
      })
    })
}

function explanationText({ feedId, records, sources, links }: ExplanationView): string {
  const what =
    feedId === null
      ? 'This person has no calendar of their own yet; this is the one that they would get.'
      : `Feed ${feedId}`
  const found =
    records.length === 0
      ? 'No matching record has been read.'
      : textTable(['DATES', 'KIND', 'ID', 'PERSON', 'SHOWN', 'WHY'], records.map(recordCells))
  const tables = [
    [['READ (UTC)', 'KIND', 'OF', 'STATE'], sourceRows(sources)],
    [['LINK', 'LAST ASKED (UTC)', 'BY', 'NEXT (UTC)', 'ENDS (UTC)'], links.map(linkCells)],
  ] as const
  const filled = tables.filter(([, rows]) => rows.length > 0)
  return [what, found, ...filled.map(([names, rows]) => textTable(names, rows))].join('\n\n')
}

function recordCells({
  dates,
  kind,
  id,
  userId,
  shown,
  reason,
}: ExplanationView['records'][number]): readonly string[] {
  const { first, last } = dates ?? { first: '–', last: '–' }
  const when = first === last ? first : `${first} to ${last}`
  return [when, kind, id, userId ?? '–', shown ? 'yes' : 'no', reason]
}

/** Sources of one kind and state share a row: a team has two for each member. */
function sourceRows(sources: ExplanationView['sources']): readonly (readonly string[])[] {
  const alike = Map.groupBy(sources, ({ kind, reason }) => JSON.stringify([kind, reason]))
  return [...alike.values()].flatMap(([source, ...more]) => {
    if (!source) return []
    const { fetchedAt, kind, subject, reason } = source
    const all = more.length > 0 ? `${subject} and ${more.length} more` : (subject ?? '–')
    return [[shortTime(fetchedAt), kind, all, reason]]
  })
}

function linkCells({
  label,
  lastPolledAt,
  client,
  expectedAt,
  endsAt,
}: ExplanationView['links'][number]): readonly string[] {
  const [asked, next, ends] = [lastPolledAt, expectedAt, endsAt].map(shortTime)
  return [label, asked ?? '–', client ?? '–', next ?? '–', ends ?? '–']
}
