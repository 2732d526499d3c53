import { Command } from 'commander'

import { AppError } from '../../domain/errors.ts'
import type { FeedListing } from '../../feeds/feed-listing.ts'
import type { FeedView } from '../../feeds/feed-view.ts'
import type { CommandContext } from '../context.ts'
import { printJson } from '../print.ts'
import { shortTime, textTable } from '../table.ts'

interface ListOptions {
  readonly company?: string
  readonly user?: string
  readonly json?: boolean
}

/** `feed list`: every feed, or those of a company or a person. */
export function feedListCommand(context: CommandContext): Command {
  return new Command('list')
    .description('list the feeds')
    .option('--company <id>', 'only of this company')
    .option('--user <id>', 'only those with this person in them')
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', '\nExample:\n  bridge feed list --user usr_ada')
    .action(({ company, user, json }: ListOptions) =>
      context.withUseCases(async ({ administration: { listing }, connections }) => {
        const feeds = await listAll(listing, { companyId: company, userId: user })
        if (company !== undefined && feeds.length === 0 && !connections.has(company)) {
          throw new AppError('not_found', `There is no company "${company}".`)
        }
        if (json) printJson(context, { data: feeds, nextCursor: null })
        else context.print(feeds.length > 0 ? feedTable(feeds) : 'There is no such feed.')
      }),
    )
}

async function listAll(listing: FeedListing, filter: object): Promise<readonly FeedView[]> {
  const feeds: FeedView[] = []
  let cursor: string | undefined
  do {
    const page = await listing.list({ ...filter, cursor, limit: 1000 })
    feeds.push(...page.data)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return feeds
}

function feedTable(feeds: readonly FeedView[]): string {
  const header = ['ID', 'NAME', 'PEOPLE', 'LAST ASKED (UTC)', 'BY', 'STATE']
  return textTable(
    header,
    feeds.map((feed) => {
      const [last] = feed.links
        .filter(({ lastPolledAt }) => lastPolledAt !== null)
        .toSorted((a, b) => String(b.lastPolledAt).localeCompare(String(a.lastPolledAt)))
      const asked = shortTime(last?.lastPolledAt ?? null)
      return [feed.id, feed.name, peopleOf(feed), asked, last?.client ?? '–', stateOf(feed)]
    }),
  )
}

function peopleOf({ userIds }: FeedView): string {
  const [first = ''] = userIds
  return userIds.length > 1 ? `${first} and ${userIds.length - 1} more` : first
}

/** What keeps the feed from being served, in a word. */
export function stateOf({ revokedAt, closedBecause }: FeedView): string {
  if (revokedAt !== null) return 'revoked'
  return closedBecause === null ? 'open' : 'closed'
}
