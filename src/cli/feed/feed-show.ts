import { Command } from 'commander'

import type { FeedDetails, LinkView } from '../../feeds/feed-view.ts'
import type { CommandContext } from '../context.ts'
import { printJson } from '../print.ts'
import { shortTime, textTable } from '../table.ts'
import { addressHint } from './addresses.ts'
import { stateOf } from './feed-list.ts'

/** `feed show`: one feed, its links, who asked for them, and how old its copies are. */
export function feedShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('show a feed, its links, who asked for them, and how old its copies are')
    .argument('<id>', "the feed's id, or an address of it")
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', `\nExample:\n  bridge feed show feed_0123456789abcdef\n\n${addressHint}`)
    .action((id: string, { json }: { json?: boolean }) =>
      context.withUseCases(async ({ administration: { listing } }) => {
        const feed = await listing.show((await listing.find(id)).id)
        if (json) printJson(context, feed)
        else context.print(describe(feed))
      }),
    )
}

function describe(feed: FeedDetails): string {
  return [facts(feed), options(feed), links(feed), clients(feed), copies(feed)].join('\n\n')
}

function facts(feed: FeedDetails): string {
  const reason = feed.closedBecause === null ? '' : `: ${feed.closedBecause}`
  const when = feed.revokedAt === null ? '' : ` on ${shortTime(feed.revokedAt)} UTC`
  return textTable(
    [feed.name, ''],
    [
      ['id', feed.id],
      ['company', feed.companyId],
      ['people', feed.userIds.join(', ')],
      ['audience', feed.audience],
      ['zone', feed.timezone],
      ['language', feed.locale],
      ['created', `${shortTime(feed.createdAt)} UTC`],
      ['state', stateOf(feed) + when + reason],
    ],
  )
}

function options({
  options: { window, reminderMinutes, selfService, ...kinds },
}: FeedDetails): string {
  const shown = Object.entries(kinds).map(([kind, { show, ...rest }]) => [
    kind,
    show ? JSON.stringify(rest) : 'not shown',
  ])
  return textTable(
    ['OPTION', 'VALUE'],
    [
      ['window', `${window.pastDays} days back, ${window.futureDays} ahead`],
      ...shown,
      ['reminder', reminderMinutes === null ? 'none' : `${reminderMinutes} minutes before`],
      ['self-service', selfService ? 'yes' : 'no'],
    ],
  )
}

function links(feed: FeedDetails): string {
  const header = ['LINK', 'CREATED (UTC)', 'ENDS (UTC)', 'LAST ASKED (UTC)', 'CHOSEN BY ITS HOLDER']
  return textTable(
    header,
    feed.links.map(({ label, createdAt, endsAt, lastPolledAt, choices }) => [
      label,
      ...[createdAt, endsAt, lastPolledAt].map(shortTime),
      chosen(choices),
    ]),
  )
}

function chosen({ hide, detail, locale, reminderMinutes }: LinkView['choices']): string {
  return [
    hide && `without ${hide.join(', ')}`,
    detail && `leave ${detail}`,
    locale && `in ${locale}`,
    reminderMinutes !== undefined && `reminder ${reminderMinutes}`,
  ]
    .filter((it) => it)
    .join('; ')
}

function clients({ activity }: FeedDetails): string {
  if (activity.length === 0) return 'No program has asked for it yet.'
  const header = ['CLIENT', 'LINK', 'POLLS', 'LAST STATUS', 'SINCE (UTC)', 'VERDICT']
  return textTable(
    header,
    activity.map(({ client, label, polls, lastStatus, firstPolledAt, verdict }) => [
      client,
      label,
      String(polls),
      String(lastStatus),
      shortTime(firstPolledAt),
      verdict ?? '',
    ]),
  )
}

function copies({ freshness }: FeedDetails): string {
  return textTable(
    ['COLLECTION', 'READ (UTC)', 'MISSING SINCE (UTC)'],
    freshness.map(({ collection, fetchedAt, missingSince }) => [
      collection,
      ...[fetchedAt, missingSince].map(shortTime),
    ]),
  )
}
