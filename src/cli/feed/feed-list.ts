import { Command, Option } from 'commander'

import { type FeedState, feedStates } from '../../domain/feed.ts'
import type { FeedView, LinkView } from '../../feeds/feed-view.ts'
import type { PersonNames } from '../../feeds/many/person-names.ts'
import type { CommandContext } from '../context.ts'
import { excelOption } from '../option-values.ts'
import { printJson, printText } from '../print.ts'
import { shortTime, textTable } from '../table.ts'
import { listAll, type ListedFeeds, type ListFilter } from './all-feeds.ts'
import { warnOfNoCompany } from './without-company.ts'

interface ListOptions {
  readonly company?: string
  readonly user?: string
  readonly state?: FeedState
  readonly neverPolled?: boolean
  readonly search?: string
  readonly csv?: boolean
  readonly excel?: boolean
  readonly json?: boolean
}

interface ListForm extends ListOptions {
  readonly names: () => PersonNames
  readonly isFiltered: boolean
  /** Whether it has to be said whose each feed is. */
  readonly severalCompanies: boolean
}

const examples = `
Examples:
  bridge feed list --user usr_ada
  bridge feed list --never-polled --state open --csv > quiet.csv   (whom feed remind would mail)`

/** `feed list`: every feed, or those of a company or a person. */
export function feedListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the feeds')
    .option('--company <id>', 'only of this company')
    .option('--user <id>', 'only those with this person in them')
    .addOption(new Option('--state <state>', 'only those in this state').choices(feedStates))
    .option('--never-polled', 'only those that no calendar program has asked for')
    .option(
      '--search <text>',
      'only those with this in their name, or in the id or name of a person',
    )
    .option(
      '--csv',
      'print a table for feed rotate --from or feed revoke --from, without addresses',
    )
    .addOption(excelOption())
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action(({ company, json = false, ...options }: ListOptions) =>
      context.withUseCases(async ({ administration: { listing, names }, connections }) => {
        const filter = filterOf(company, options)
        const { feeds, warnings } = await listAll(listing, connections, filter)
        const isFiltered = Object.values(filter).some((it) => it !== undefined)
        const companies = new Set([...connections.keys(), ...feeds.map((it) => it.companyId)])
        const form = { ...options, json, names, isFiltered, severalCompanies: companies.size > 1 }
        await printFeeds(context, { feeds, warnings }, form)
        const open = feeds.filter((feed) => stateOf(feed) === 'open')
        warnOfNoCompany(context, { connections }, open)
      }),
    )
}

function filterOf(
  company: string | undefined,
  { user, state, ...options }: ListOptions,
): ListFilter {
  const { neverPolled, search } = options
  const asked = neverPolled ? { neverPolled: 'true' } : {}
  return { companyId: company, userId: user, state, search, ...asked }
}

/** Named as whoever makes, rotates or revokes feeds names them; where several are in one, by the first. */
async function printCsv(
  context: CommandContext,
  feeds: readonly FeedView[],
  names: PersonNames,
  { excel }: ListOptions,
): Promise<void> {
  const { listTable } = await import('../../feeds/import/link-table.ts')
  const rows = await Promise.all(
    feeds.map(async (feed) => {
      const [userId = ''] = feed.userIds
      const name = await names.find(feed.companyId, userId)
      const state = stateOf(feed)
      const row = { userId, ...name, feedId: feed.id, label: '', link: null, reason: null }
      const lastPolledAt = lastLink(feed)?.lastPolledAt ?? null
      return { ...row, status: state, name: feed.name, state, lastPolledAt }
    }),
  )
  printText(context, listTable(rows, excel ? 'excel' : 'plain'))
}

async function printFeeds(
  context: CommandContext,
  { feeds, warnings }: ListedFeeds,
  { names, json, ...form }: ListForm,
): Promise<void> {
  const warned = warnings.length > 0 ? { warnings } : {}
  if (json) return printJson(context, { data: feeds, nextCursor: null, ...warned })
  if (form.csv || form.excel) await printCsv(context, feeds, names(), form)
  else if (feeds.length > 0) context.print(feedTable(feeds, form.severalCompanies))
  if (feeds.length === 0) sayEmpty(context, warnings, form.isFiltered)
}

/** A list of nothing has nothing for standard output. */
function sayEmpty(
  { warn }: Pick<CommandContext, 'warn'>,
  warnings: readonly string[],
  isFiltered: boolean,
): void {
  warn(isFiltered ? 'There is no such feed.' : 'There are no feeds yet.')
  for (const warning of warnings) warn(`${warning} --search finds people by name.`)
}

function feedTable(feeds: readonly FeedView[], withCompany: boolean): string {
  const company = (it: string): readonly string[] => (withCompany ? [it] : [])
  const header = ['ID', ...company('COMPANY'), 'NAME', 'PEOPLE', 'LAST ASKED (UTC)', 'BY', 'STATE']
  return textTable(
    header,
    feeds.map((feed) => {
      const last = lastLink(feed)
      const asked = shortTime(last?.lastPolledAt ?? null)
      const who = [...company(feed.companyId), feed.name, peopleOf(feed)]
      return [feed.id, ...who, asked, last?.client ?? '–', stateOf(feed)]
    }),
  )
}

/** The one that was asked last; undefined where none was. */
function lastLink({ links }: FeedView): LinkView | undefined {
  return links
    .filter(({ lastPolledAt }) => lastPolledAt !== null)
    .toSorted((a, b) => String(b.lastPolledAt).localeCompare(String(a.lastPolledAt)))[0]
}

function peopleOf({ userIds }: FeedView): string {
  const [first = ''] = userIds
  return userIds.length > 1 ? `${first} and ${userIds.length - 1} more` : first
}

/** What keeps the feed from being served, in a word. */
export function stateOf({ revokedAt, closedBecause }: FeedView): FeedState {
  if (revokedAt !== null) return 'revoked'
  return closedBecause === null ? 'open' : 'closed'
}
