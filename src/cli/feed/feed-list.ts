/* `feed candidates`, `feed list` and `feed show`. */
import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { AppError } from '../../domain/errors.ts'
import { type FeedState, feedStates } from '../../domain/feed.ts'
import type { FeedDetails, FeedView, LinkView } from '../../feeds/feed-view.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { excelOption, wrongCompany } from '../option-values.ts'
import { printJson, printText, printWarnings, shortTime, textTable } from '../output.ts'
import { addressHint, warnOfNoCompany } from './one-feed.ts'

const candidatesHelp = `
Example:
  bridge feed candidates > people.csv
  (edit people.csv: one row for each person who gets a feed)
  bridge feed create --from people.csv > links.csv`

export function feedCandidatesCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('candidates')
    .description('list the people who can get a feed, as a table for feed create --from')
    .option('--company <id>', 'company, if there are several')
    .addOption(excelOption)
    .option('--json', 'print JSON')
    .addHelpText('after', candidatesHelp)
    .action(({ company, excel = false, json }) =>
      context.withUseCases(async ({ connections, directory }) => {
        const { connectionOf } = await import('../../feeds/company-lookup.ts')
        const { people, problems } = await directory.listCandidates(
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
        // The table is input for feed create, so an incomplete one must not look complete.
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

const listHelp = `
Examples:
  bridge feed list --user usr_ada
  bridge feed list --never-polled --state open --csv > quiet.csv   (the people feed remind would mail)`

export function feedListCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('list')
    .description('list the feeds')
    .option('--company <id>', 'only this company')
    .option('--user <id>', 'only feeds that show this person')
    .addOption(new Option('--state <state>', 'only feeds in this state').choices(feedStates))
    .option('--never-polled', 'only feeds that no calendar program has asked for')
    .option(
      '--search <text>',
      'only feeds with this in their name, or in the id or name of a person',
    )
    .option(
      '--csv',
      'print a table for feed rotate --from or feed revoke --from, without addresses',
    )
    .addOption(excelOption)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', listHelp)
    .action((options) =>
      context.withUseCases(async (useCases) => {
        const { company, user, state, search, neverPolled, csv, excel, json } = options
        const asked = neverPolled ? { neverPolled: 'true' } : {}
        const filter = { companyId: company, userId: user, state, search, ...asked }
        const { feeds, warnings } = await listAll(useCases, filter)
        if (json) {
          const warned = warnings.length > 0 ? { warnings } : {}
          printJson(context, { data: feeds, nextCursor: null, ...warned })
        } else if (csv || excel) {
          await printCsv(context, useCases, feeds, excel ? 'excel' : 'plain')
        } else if (feeds.length > 0) {
          const known = useCases.connections.keys()
          const companies = new Set([...known, ...feeds.map((feed) => feed.companyId)])
          context.print(feedTable(feeds, companies.size > 1))
        }
        if (feeds.length === 0 && !json) {
          const isFiltered = Object.values(filter).some((it) => it !== undefined)
          context.warn(isFiltered ? 'No matching feeds.' : 'There are no feeds yet.')
          for (const warning of warnings) context.warn(`${warning} --search finds people by name.`)
        }
        const open = feeds.filter((feed) => stateOf(feed) === 'open')
        warnOfNoCompany(context, useCases, open)
      }),
    )
}

/**
 * Returns all feeds that match the API's filter, with its warnings; fails with `invalid` for a company without settings and
 * feeds.
 */
export async function listAll(
  { administration, connections }: UseCases,
  filter: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly feeds: readonly FeedView[]; readonly warnings: readonly string[] }> {
  const feeds: FeedView[] = []
  const warnings: string[] = []
  let cursor: string | undefined
  do {
    const page = await administration.listing.list({ ...filter, cursor, limit: 1000 })
    feeds.push(...page.data)
    warnings.push(...(page.warnings ?? []))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  const { companyId } = filter
  if (companyId !== undefined && feeds.length === 0 && !connections.has(companyId)) {
    throw wrongCompany(companyId, connections.keys())
  }
  return { feeds, warnings }
}

/** As in all tables, the first of several people names the feed. */
async function printCsv(
  context: CommandContext,
  { administration }: UseCases,
  feeds: readonly FeedView[],
  form: 'plain' | 'excel',
): Promise<void> {
  const { listTable } = await import('../../feeds/bulk/write-table.ts')
  const names = administration.names()
  const rows = await Promise.all(
    feeds.map(async (feed) => {
      const person = await names.findFirst(feed)
      const state = stateOf(feed)
      const row = { ...person, feedId: feed.id, label: '', link: null, reason: null }
      const lastPolledAt = lastLink(feed)?.lastPolledAt ?? null
      return { ...row, status: state, name: feed.name, state, lastPolledAt }
    }),
  )
  printText(context, listTable(rows, form))
}

function feedTable(feeds: readonly FeedView[], withCompany: boolean): string {
  const company = (it: string): readonly string[] => (withCompany ? [it] : [])
  return textTable(
    ['ID', ...company('COMPANY'), 'NAME', 'PEOPLE', 'LAST ASKED (UTC)', 'BY', 'STATE'],
    feeds.map((feed) => {
      const last = lastLink(feed)
      return [
        feed.id,
        ...company(feed.companyId),
        feed.name,
        peopleText(feed),
        shortTime(last?.lastPolledAt ?? null),
        last?.client ?? '–',
        stateOf(feed),
      ]
    }),
  )
}

function peopleText({ userIds, team }: FeedView): string {
  if (team) return `team of ${team.managerId} (${userIds.length})`
  const [first = '', ...more] = userIds
  return more.length > 0 ? `${first} and ${more.length} more` : first
}

/** Returns the link polled last; undefined if none was polled. */
function lastLink({ links }: FeedView): LinkView | undefined {
  return links
    .filter(({ lastPolledAt }) => lastPolledAt !== null)
    .toSorted((a, b) => String(b.lastPolledAt).localeCompare(String(a.lastPolledAt)))[0]
}

function stateOf({ revokedAt, closedBecause }: FeedView): FeedState {
  if (revokedAt !== null) return 'revoked'
  return closedBecause === null ? 'open' : 'closed'
}

export function feedShowCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('show')
    .description('show a feed, its links, the programs that ask for it, and the age of its data')
    .argument('<id>', 'id of the feed, or one of its addresses')
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', `\nExample:\n  bridge feed show feed_0123456789abcdef\n\n${addressHint}`)
    .action((id, { json }) =>
      context.withUseCases(async ({ administration: { listing } }) => {
        const feed = await listing.show((await listing.find(id)).id)
        if (json) printJson(context, feed)
        else {
          context.print(describe(feed))
          printWarnings(context, feed.warnings ?? [])
        }
      }),
    )
}

function describe(feed: FeedDetails): string {
  const { window, reminderMinutes, colors, selfService, ...kinds } = feed.options
  const ended = feed.revokedAt === null ? '' : ` on ${shortTime(feed.revokedAt)} UTC`
  const reason = feed.closedBecause === null ? '' : `: ${feed.closedBecause}`
  const facts = [
    ['id', feed.id],
    ['company', feed.companyId],
    ...(feed.team ? [['team', teamText(feed.team)]] : []),
    ['people', feed.userIds.join(', ')],
    ['audience', feed.audience],
    ['zone', feed.timezone],
    ['language', feed.locale],
    ['created', `${shortTime(feed.createdAt)} UTC`],
    ['state', stateOf(feed) + ended + reason],
  ]
  const options = [
    ['window', `${window.pastDays} days back, ${window.futureDays} ahead`],
    ...Object.entries(kinds).map(([kind, { show, ...rest }]) => [
      kind,
      show ? JSON.stringify(rest) : 'not shown',
    ]),
    ['reminder', reminderMinutes === null ? 'none' : `${reminderMinutes} minutes before`],
    ['colours', colors ? 'yes' : 'no'],
    ['self-service', selfService ? 'yes' : 'no'],
  ]
  const links = feed.links.map(({ label, createdAt, endsAt, lastPolledAt, choices }) => [
    label,
    ...[createdAt, endsAt, lastPolledAt].map(shortTime),
    choicesText(choices),
  ])
  const programs = feed.activity.map(
    ({ client, label, polls, lastStatus, firstPolledAt, verdict }) => [
      client,
      label,
      String(polls),
      String(lastStatus),
      shortTime(firstPolledAt),
      verdict ?? '',
    ],
  )
  const copies = feed.freshness.map(({ collection, fetchedAt, missingSince }) => [
    collection,
    ...[fetchedAt, missingSince].map(shortTime),
  ])
  return [
    textTable([feed.name, ''], facts),
    textTable(['OPTION', 'VALUE'], options),
    textTable(
      ['LINK', 'CREATED (UTC)', 'ENDS (UTC)', 'LAST ASKED (UTC)', "PERSON'S CHOICES"],
      links,
    ),
    programs.length === 0
      ? 'No program has asked for it yet.'
      : textTable(['CLIENT', 'LINK', 'POLLS', 'LAST STATUS', 'SINCE (UTC)', 'VERDICT'], programs),
    textTable(['COLLECTION', 'READ (UTC)', 'MISSING SINCE (UTC)'], copies),
  ].join('\n\n')
}

function teamText({ managerId, depth }: NonNullable<FeedView['team']>): string {
  return `everybody who reports to ${managerId}${depth === 'all' ? ', at any depth' : ''}`
}

function choicesText({ hide, ...values }: LinkView['choices']): string {
  const shown = Object.entries(values).map(([name, value]) => `${name} ${value}`)
  return [...(hide ? [`without ${hide.join(', ')}`] : []), ...shown].join('; ')
}
