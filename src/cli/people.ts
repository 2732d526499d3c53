import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings'

import { listedStates, missingFeeds } from '../domain/people-list.ts'
import type { ListedPersonView, PeoplePage } from '../feeds/people-listing.ts'
import type { CommandContext, UseCases } from './context.ts'
import { nonEmpty } from './option-values.ts'
import { printJson, shortTime, textTable } from './output.ts'

const help = `
FEEDS counts every calendar that shows the person, also those of teams; --feed looks only at their own.

Examples:
  bridge people --search lovelace
  bridge people --feed none --state active    (people without a calendar)
  bridge people --feed unpolled               (people with one who have not subscribed)`

export function peopleCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('people')
    .description('list the people the bridge knows, with their calendars')
    .option('--company <id>', 'company, if there are several', nonEmpty)
    .option('--search <text>', 'only people with this in their name, mail address or id', nonEmpty)
    .addOption(new Option('--state <state>', 'only people in this state').choices(listedStates))
    .addOption(
      new Option(
        '--feed <what>',
        'only people without a calendar of their own (none), or with one that no calendar program has asked for (unpolled)',
      ).choices(missingFeeds),
    )
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', help)
    .action(({ company, json, ...filter }) =>
      context.withUseCases(async (useCases) => {
        const { connectionOf } = await import('../feeds/company-lookup.ts')
        const { id } = connectionOf(useCases.connections, company).company
        const { data, directory } = await listAll(useCases, id, filter)
        if (json) return printJson(context, { data, nextCursor: null, directory })
        if (data.length > 0) context.print(peopleTable(data))
        else context.warn(emptySentence(directory, Object.keys(filter).length > 0))
        for (const { source, reason } of directory.problems) {
          context.warn(`People may be missing: the ${source} could not be read: ${reason}`)
        }
      }),
    )
}

async function listAll(
  { peopleListing }: UseCases,
  companyId: string,
  filter: Readonly<Record<string, string>>,
): Promise<PeoplePage> {
  const { listPeople } = await import('../feeds/people-listing.ts')
  const data: ListedPersonView[] = []
  for (let cursor: string | undefined; ;) {
    const page = await listPeople(peopleListing, companyId, { ...filter, cursor, limit: 1000 })
    data.push(...page.data)
    if (page.nextCursor === null) return { ...page, data }
    cursor = page.nextCursor
  }
}

function emptySentence({ lookedAt }: PeoplePage['directory'], isFiltered: boolean): string {
  if (isFiltered) return 'No matching people.'
  return lookedAt === null
    ? 'Nobody is known yet: start the bridge, or run bridge feed candidates.'
    : `The bridge looked for people at ${shortTime(lookedAt)} UTC and found nobody.`
}

function peopleTable(people: readonly ListedPersonView[]): string {
  return textTable(
    ['ID', 'NAME', 'MAIL', 'MANAGER', 'STATE', 'FEEDS', 'LAST ASKED (UTC)', 'BY', 'PROBLEMS'],
    people.map(({ userId, manager, ...person }) => [
      userId,
      person.displayName || '–',
      person.email ?? '–',
      manager ? manager.displayName || manager.userId : '–',
      person.state,
      String(person.feeds.length),
      shortTime(person.lastPolledAt),
      person.client ?? '–',
      person.problems.join(' '),
    ]),
  )
}
