/* `feed update`, `link`, `rotate` and `revoke`. */
import { Command, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { locales } from '../../domain/feed.ts'
import type { CommandContext } from '../context.ts'
import { excelOption, graceDays, jsonObject, linkLabel, several } from '../option-values.ts'
import { counted, printJson, printWarnings } from '../output.ts'
import {
  addressesText,
  addressHint,
  mailingFor,
  mailOne,
  mailOption,
  oldEndOf,
  leaveDetailOption,
  reminderOption,
  optionsOf,
  requireMailable,
  warnOfAssumed,
  warnOfNoCompany,
} from './one-feed.ts'

const updateHelp = `
Examples:
  bridge feed update feed_0123456789abcdef --timezone Europe/Lisbon
  bridge feed update feed_0123456789abcdef --options '{"timesheets": {"show": false}}'

Options are merged into the existing ones (RFC 7396); null restores the default. Addresses do not change.`

/** `feed update`: changes a feed and keeps its addresses. */
export function feedUpdateCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('update')
    .addOption(leaveDetailOption)
    .addOption(reminderOption)
    .description('change a feed; its addresses stay the same')
    .argument('<id>', 'id of the feed')
    .option('--name <name>', 'name of the calendar')
    .option('--timezone <zone>', 'IANA time zone')
    .option('--locale <locale>', `language: ${locales.join(' or ')}`)
    .option('--user <id>', 'person to show, in a feed for others; repeat for several', several)
    .option('--options <json>', 'what to change, as in the API', jsonObject)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', updateHelp)
    .action((id, { json, user, ...given }, command) => {
      const { name, timezone, locale } = given
      const patch = { name, timezone, locale, options: optionsOf(given), userIds: user }
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

/** `feed link`: one more address of the same feed. */
export function feedLinkCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('link')
    .description('add a secret address to a feed and print it, the only time it is shown')
    .argument('<id>', 'id of the feed, or one of its addresses')
    .requiredOption('--label <label>', 'name of the link, such as phone; unique', linkLabel)
    .addOption(mailOption)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', linkHelp)
    .action((idOrAddress, options, command) =>
      context.withUseCases(async (useCases) => {
        const { feedLinks, listing } = useCases.administration
        const invitations = mailingFor(useCases, options, command)
        const { id } = await listing.find(idOrAddress)
        if (invitations) await requireMailable(useCases, invitations, await listing.show(id))
        const link = await feedLinks.create(id, { label: options.label })
        const { label, url, page = '' } = link
        const feed = await listing.show(id)
        warnOfAssumed(context, useCases)
        warnOfNoCompany(context, useCases, [feed])
        if (options.json) printJson(context, link)
        else context.print(addressesText(`${id}  ${label}`, url, page))
        if (!invitations) return
        const invitation = { kind: 'invitation', feed, label: options.label, page } as const
        await mailOne(context, useCases, invitations, invitation, options.json)
      }),
    )
}

const fromOption = new Option('--from <file.csv>', 'all feeds in the table, by feedId or userId')
const companyOption = new Option('--company <id>', 'with --from: only feeds of this company')
const dryRunOption = new Option('--dry-run', 'with --from: print what would happen, change nothing')

/** The id of the one feed, or undefined for those of the table; ends the command if both or none are given. */
function idOf(
  id: string | undefined,
  {
    from,
    company,
    excel,
    dryRun,
  }: { from?: string; company?: string; excel?: boolean; dryRun?: boolean },
  command: CommandUnknownOpts,
): string | undefined {
  if ((id === undefined) === (from === undefined)) {
    return command.error('error: give either the id of a feed or --from FILE.csv')
  }
  if (from !== undefined) return undefined
  if (company !== undefined || excel) {
    return command.error('error: --company and --excel go with --from FILE.csv')
  }
  if (dryRun) return command.error('error: --dry-run goes with --from FILE.csv')
  return id
}

const tableHint = `The table needs a column feedId or userId, as in the tables that this program prints; by userId it means all feeds that show
only this person. All rows are checked before the first feed changes, and each feed is printed as soon as it is done.`

const rotateHelp = `
Examples:
  bridge feed rotate feed_0123456789abcdef                  (the old address ends at once)
  bridge feed rotate feed_0123456789abcdef --grace-days 7   (it works for a week, and its calendar says when it ends)
  bridge feed rotate --from links.csv --grace-days 7 > new.csv

${addressHint}

${tableHint}
Feeds that have ended are skipped. The output is a table with the new address and page of each feed, for a mail merge. Running it
again gives each feed another new address: then only the last table counts, and with grace days the earlier ones also work.`

/** `feed rotate`: new addresses for those that leaked or need to change. */
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
    .action(async (given, options, command) => {
      const { label: wanted, graceDays: days, from = '', json, mail } = options
      const id = idOf(given, options, command)
      if (id === undefined) {
        if (mail) {
          command.error(
            'error: --mail goes with one feed; for many use feed create --from FILE.csv --rotate-existing --mail',
          )
        }
        const { changeFromTable } = await import('./table-runs.ts')
        const change = { kind: 'rotate', label: wanted, graceDays: days } as const
        return changeFromTable(context, from, change, options)
      }
      return context.withUseCases(async (useCases) => {
        const { feedLinks, listing } = useCases.administration
        const invitations = mailingFor(useCases, options, command)
        const found = await listing.find(id)
        if (invitations) await requireMailable(useCases, invitations, await listing.show(found.id))
        const which = wanted ?? found.label
        const link = await feedLinks.rotate(found.id, { label: which, graceDays: days })
        const { label, url, page = '' } = link
        const feed = await listing.show(found.id)
        warnOfAssumed(context, useCases)
        warnOfNoCompany(context, useCases, [feed])
        if (json) printJson(context, link)
        else {
          context.print(addressesText(`${found.id}  ${label}`, url, page))
          context.warn(
            days === 0
              ? 'The old address has ended.'
              : `The old address works for ${counted(days, 'more day')}; its calendar says when it ends.`,
          )
          printWarnings(context, link.warnings ?? [])
        }
        if (!invitations) return
        const oldEndsAt = oldEndOf(link, days)
        const renewed = { kind: 'renewed', feed, label, page, oldEndsAt } as const
        await mailOne(context, useCases, invitations, renewed, json)
      })
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

/** `feed revoke`: ends feeds, or one link of each. */
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
    .action(async (given, options, command) => {
      const { label, purge = false, from = '', json } = options
      const idOrAddress = idOf(given, options, command)
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
