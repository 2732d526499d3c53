import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { excelOption, graceDays, linkLabel } from '../option-values.ts'
import { printJson, printWarnings } from '../print.ts'
import { addressesText, addressHint, warnOfAssumed } from './addresses.ts'
import { mailingFor, mailOne, mailOption, oldEndOf, requireMailable } from './mailing.ts'
import { tableHint, whichFeeds, withFeeds } from './which-feeds.ts'
import { warnOfNoCompany } from './without-company.ts'

interface RotateOptions {
  readonly from?: string
  readonly company?: string
  readonly excel?: boolean
  readonly label?: string
  readonly graceDays: number
  readonly dryRun?: boolean
  readonly mail?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  bridge feed rotate feed_0123456789abcdef                  (the old address ends at once)
  bridge feed rotate feed_0123456789abcdef --grace-days 7   (it goes on for a week and says in the calendar when it ends)
  bridge feed rotate --from links.csv --grace-days 7 > new.csv

${addressHint}

${tableHint}
Feeds that have ended are skipped. What comes out is a table with the new address and page of each for a mail merge. Who runs it again gives each feed yet
another address: then the last table holds, and with days of grace the ones before go on as well.`

/** `feed rotate`: new addresses in place of those that leaked or are to change. */
export function feedRotateCommand(context: CommandContext): Command {
  return withFeeds(new Command('rotate'))
    .description('give feeds a new secret address and end the old one')
    .option(
      '--label <label>',
      'which of its links; if not given, that of the address, or default',
      linkLabel,
    )
    .option('--grace-days <days>', 'for how long the old address goes on, 0 to 365', graceDays, 0)
    .option('--dry-run', 'with --from: print what would be done, change nothing')
    .addOption(mailOption())
    .addOption(excelOption())
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action(async (id: string | undefined, options: RotateOptions, command: Command) => {
      const { label, graceDays: days } = options
      const which = whichFeeds(id, options, command)
      if (options.mail && 'file' in which) {
        command.error(
          'error: --mail goes with one feed; for many, feed create --from FILE.csv --rotate-existing --mail',
        )
      }
      if (!('file' in which)) return rotateOne(context, which.id, { ...options, command })
      const change = { kind: 'rotate', label, graceDays: days } as const
      const { changeFromTable } = await import('./change-from-table.ts')
      return changeFromTable(context, which.file, change, options)
    })
}

function rotateOne(
  context: CommandContext,
  id: string,
  {
    label,
    graceDays: days,
    json,
    command,
    ...given
  }: RotateOptions & { readonly command: Command },
): Promise<void> {
  return context.withUseCases(async (useCases) => {
    const { feedLinks, listing } = useCases.administration
    const invitations = mailingFor(useCases, given, command)
    const found = await listing.find(id)
    if (invitations) await requireMailable(useCases, invitations, await listing.show(found.id))
    const link = await feedLinks.rotate(found.id, { label: label ?? found.label, graceDays: days })
    const feed = await listing.show(found.id)
    warnOfAssumed(context, useCases)
    warnOfNoCompany(context, useCases, [feed])
    if (json) printJson(context, link)
    else {
      context.print(addressesText(`${found.id}  ${link.label}`, link))
      context.warn(endOfOld(days))
      printWarnings(context, link.warnings ?? [])
    }
    const { label: made, page = '' } = link
    if (!invitations) return
    const renewed = { kind: 'renewed', feed, label: made, page, invitations } as const
    await mailOne(context, useCases, { ...renewed, oldEndsAt: oldEndOf(link, days) }, json)
  })
}

function endOfOld(days: number): string {
  if (days === 0) return 'The old address has ended.'
  return `The old address goes on for ${days} ${days === 1 ? 'day' : 'days'}; its calendar says when it ends.`
}
