/* `feed update`, `link`, `rotate`, `revoke` and `remind`. */
import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { locales } from '../../domain/feed.ts'
import { oldEndOf } from '../../domain/link.ts'
import type { FeedLinks } from '../../feeds/feed-links.ts'
import type { CommandContext } from '../context.ts'
import { excelOption, graceDays, jsonObject, linkLabel, several } from '../option-values.ts'
import { counted, printJson, printWarnings } from '../output.ts'
import {
  addressesText,
  addressHint,
  mailingFor,
  mailOne,
  mailOption,
  leaveDetailOption,
  reminderOption,
  optionsOf,
  orNotMailed,
  requireMailing,
  warnOfAssumed,
  warnOfNoCompany,
} from './one-feed.ts'

const fromOption = new Option('--from <file.csv>', 'all feeds in the table, by feedId or userId')
const companyOption = new Option('--company <id>', 'with --from: only feeds of this company')
const dryRunOption = new Option('--dry-run', 'with --from: print what would happen, change nothing')

/** Exits with an error unless there is either a feed id or a table. */
function requireIdOrTable(id: string | undefined, command: CommandUnknownOpts): void {
  const { from, company, excel, dryRun } = command.opts()
  if ((id === undefined) === (from === undefined)) {
    command.error('error: give either the id of a feed or --from FILE.csv')
  }
  if (from === undefined && (company !== undefined || excel || dryRun)) {
    command.error('error: --company, --excel and --dry-run go with --from FILE.csv')
  }
}

const tableHint = `The table needs a column feedId or userId, as in the tables that this program prints; by userId it means all feeds that show
only this person. All rows are checked before the first feed changes, and each feed is printed as soon as it is done.`

const updateHelp = `
Examples:
  bridge feed update feed_0123456789abcdef --timezone Europe/Lisbon
  bridge feed update feed_0123456789abcdef --options '{"timesheets": {"show": false}}'
  bridge feed update --from feeds.csv --locale de

Options are merged into the existing ones (RFC 7396); null restores the default. Addresses do not change.

${tableHint}
The columns name, timezone, locale and options, if there are any, give each row its own change; an empty cell changes nothing. What
you give on the command line is for all rows; a cell takes precedence, and options are merged. Feeds that have ended are skipped. You
can safely run the same table again.`

export function feedUpdateCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('update')
    .addOption(leaveDetailOption)
    .addOption(reminderOption)
    .description('change feeds; their addresses stay the same')
    .argument('[id]', 'id of the feed')
    .addOption(fromOption)
    .addOption(companyOption)
    .addOption(dryRunOption)
    .addOption(excelOption)
    .option('--name <name>', 'name of the calendar')
    .option('--timezone <zone>', 'IANA time zone')
    .option('--locale <locale>', `language: ${locales.join(' or ')}`)
    .option('--user <id>', 'person to show, in a feed for others; repeat for several', several)
    .option('--options <json>', 'what to change, as in the API', jsonObject)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', updateHelp)
    .action(async (id, { json, user, ...given }, command) => {
      requireIdOrTable(id, command)
      const { name, timezone, locale, from = '' } = given
      const patch = { name, timezone, locale, options: optionsOf(given), userIds: user }
      if (id === undefined) {
        if (user !== undefined) command.error('error: --user goes with one feed')
        const { changeFromTable } = await import('./table-runs.ts')
        return changeFromTable(context, from, { kind: 'update', patch }, { ...given, json })
      }
      if (Object.values(patch).every((it) => it === undefined)) {
        command.error('error: give at least one change')
      }
      return context.withUseCases(async ({ administration: { changes } }) => {
        const { feed, warnings } = await changes.update(id, patch)
        printWarnings(context, warnings)
        if (json) printJson(context, feed)
        else context.print(`${feed.id}  ${feed.name}: changed.`)
      })
    })
}

const linkHelp = `
Example:
  bridge feed link feed_0123456789abcdef --label phone

Each link can be ended or replaced on its own if it leaks.

${addressHint}`

export function feedLinkCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('link')
    .description('add a secret address to a feed and print it, the only time it is shown')
    .argument('<id>', 'id of the feed, or one of its addresses')
    .requiredOption('--label <label>', 'name of the link, such as phone; unique', linkLabel)
    .addOption(mailOption)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', linkHelp)
    .action((id, { label, ...options }, command) =>
      printNewLink(context, id, options, command, (links, feedId) =>
        links.create(feedId, { label }),
      ),
    )
}

/** Creates a link, prints its addresses and mails the page if requested; `graceDays` if the link replaces another one. */
function printNewLink(
  context: CommandContext,
  idOrAddress: string,
  options: {
    readonly mail?: true | undefined
    readonly json?: true | undefined
    readonly graceDays?: number
  },
  command: CommandUnknownOpts,
  make: (links: FeedLinks, id: string, label?: string) => ReturnType<FeedLinks['rotate']>,
): Promise<void> {
  const { json, graceDays: days } = options
  return context.withUseCases(async (useCases) => {
    const { feedLinks, listing } = useCases.administration
    const invitations = mailingFor(useCases, options, command)
    const found = await listing.find(idOrAddress)
    const feed = await listing.show(found.id)
    if (invitations) await orNotMailed(useCases, feed, () => invitations.requireAddress(feed))
    const link = await make(feedLinks, found.id, found.label)
    const { label, url, page = '' } = link
    warnOfAssumed(context, useCases)
    warnOfNoCompany(context, useCases, [feed])
    if (json) printJson(context, link)
    else {
      context.print(addressesText(`${feed.id}  ${label}`, url, page))
      if (days !== undefined) context.warn(sayOldEnd(days))
      printWarnings(context, link.warnings ?? [])
    }
    if (!invitations) return
    const kind = days === undefined ? 'invitation' : 'renewed'
    const oldEndsAt = oldEndOf(link, days ?? 0)
    await mailOne(context, useCases, invitations, { kind, feed, label, page, oldEndsAt }, json)
  })
}

function sayOldEnd(days: number): string {
  if (days === 0) return 'The old address has ended.'
  return `The old address works for ${counted(days, 'more day')}; its calendar says when it ends.`
}

const rotateHelp = `
Examples:
  bridge feed rotate feed_0123456789abcdef                  (the old address ends at once)
  bridge feed rotate feed_0123456789abcdef --grace-days 7   (it works for a week, and its calendar says when it ends)
  bridge feed rotate --from links.csv --grace-days 7 > new.csv

${addressHint}

${tableHint}
Feeds that have ended are skipped. The output is a table with the new address and page of each feed, for a mail merge. Running it
again gives each feed another new address: then only the last table counts, and with grace days the earlier ones also work.`

export function feedRotateCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('rotate')
    .description('give feeds a new secret address and end the old one')
    .argument('[id]', 'id of the feed, or one of its addresses')
    .addOption(fromOption)
    .addOption(companyOption)
    .addOption(dryRunOption)
    .addOption(excelOption)
    .option(
      '--label <label>',
      'which link (default: the one of the address, or default)',
      linkLabel,
    )
    .option('--grace-days <days>', 'days the old address keeps working (0–365)', graceDays, 0)
    .addOption(mailOption)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', rotateHelp)
    .action(async (id, options, command) => {
      const { label, graceDays: days, from = '', mail } = options
      requireIdOrTable(id, command)
      if (id !== undefined) {
        return printNewLink(context, id, options, command, (links, feedId, ofAddress) =>
          links.rotate(feedId, { label: label ?? ofAddress, graceDays: days }),
        )
      }
      if (mail) {
        command.error(
          'error: --mail goes with one feed; for many use feed create --from FILE.csv --rotate-existing --mail',
        )
      }
      const { changeFromTable } = await import('./table-runs.ts')
      return changeFromTable(context, from, { kind: 'rotate', label, graceDays: days }, options)
    })
}

const revokeHelp = `
Examples:
  bridge feed revoke feed_0123456789abcdef
  bridge feed revoke feed_0123456789abcdef --label phone --purge
  bridge feed revoke --from left.csv --purge

Calendar programs keep their events when an address stops working. With --purge they get, for 30 days, a calendar with a single
event that says it has ended, and drop everything else.

${addressHint}

${tableHint}
Feeds that have already ended are skipped, so you can run the same table again.`

export function feedRevokeCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('revoke')
    .description('end feeds, or one link of each, for good')
    .argument('[id]', 'id of the feed, or one of its addresses')
    .addOption(fromOption)
    .addOption(companyOption)
    .addOption(dryRunOption)
    .addOption(excelOption)
    .option('--label <label>', 'only this link', linkLabel)
    .option('--purge', 'for 30 days, serve a calendar that says it has ended')
    .option('--json', 'print JSON')
    .addHelpText('after', revokeHelp)
    .action(async (idOrAddress, options, command) => {
      const { label, purge = false, from = '', json } = options
      requireIdOrTable(idOrAddress, command)
      if (idOrAddress === undefined) {
        const { changeFromTable } = await import('./table-runs.ts')
        return changeFromTable(context, from, { kind: 'revoke', label, purge }, options)
      }
      return context.withUseCases(async ({ administration: { changes, feedLinks, listing } }) => {
        const { id } = await listing.find(idOrAddress)
        if (label === undefined) await changes.revoke(id, purge)
        else await feedLinks.end(id, label, purge)
        if (json) return printJson(context, await listing.show(id))
        const what = label === undefined ? 'The feed' : `The link "${label}"`
        context.print(`${what} has ended${purge ? '; its calendar says so for 30 days' : ''}.`)
      })
    })
}

const remindHelp = `
Examples:
  bridge feed remind --never-polled
  bridge feed remind --from quiet.csv

Each person gets a mail with a new link, called mail, to their own calendar, at most once a day. Their other links keep working.
An earlier mailed link works until a calendar program asks for the new one, for at most seven days. The addresses are mailed and
not printed. status is mailed, skipped (subscribed already, left, or a calendar for others) or mail refused, with the reason.
With --from, too, people who have subscribed get nothing.

The table needs a column feedId or userId, as in feed list --csv; by userId it means all feeds that show only this person.`

export function feedRemindCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('remind')
    .description('mail a new link to people who have not subscribed; needs SMTP_URL')
    .option('--never-polled', 'all open feeds that no calendar program has asked for')
    .addOption(
      new Option('--from <file.csv>', 'the feeds in the table, by feedId or userId').conflicts(
        'neverPolled',
      ),
    )
    .option('--company <id>', 'only this company')
    .addOption(excelOption)
    .option('--json', 'print JSON')
    .addHelpText('after', remindHelp)
    .action(async (options, command) => {
      if (!options.neverPolled && options.from === undefined) {
        command.error('error: give --never-polled or --from FILE.csv')
      }
      const { remindFeeds } = await import('./table-runs.ts')
      return context.withUseCases((useCases) => {
        const mailing = requireMailing(useCases, 'feed remind', command)
        return remindFeeds(context, useCases, mailing, options)
      })
    })
}
