import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { excelOption, linkLabel } from '../option-values.ts'
import { printJson } from '../print.ts'
import { addressHint } from './addresses.ts'
import { tableHint, whichFeeds, withFeeds } from './which-feeds.ts'

interface RevokeOptions {
  readonly from?: string
  readonly company?: string
  readonly excel?: boolean
  readonly label?: string
  readonly purge?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  bridge feed revoke feed_0123456789abcdef
  bridge feed revoke feed_0123456789abcdef --label phone --purge
  bridge feed revoke --from left.csv --purge

Calendar programs keep what they have when an address is gone. With --purge they get, for 30 days, a calendar of one
event that says that it has ended, and drop everything else.

${addressHint}

${tableHint}
Feeds that have ended already are skipped, so the same table may come again.`

/** `feed revoke`: the end of feeds, or of one link of each. */
export function feedRevokeCommand(context: CommandContext): Command {
  return withFeeds(new Command('revoke'))
    .description('end feeds, or one link of each, for good')
    .option('--label <label>', 'only this link', linkLabel)
    .option('--purge', 'first 30 days of a calendar that says that it has ended')
    .option('--dry-run', 'with --from: print what would be done, change nothing')
    .addOption(excelOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (id: string | undefined, options: RevokeOptions, command: Command) => {
      const { label, purge = false } = options
      const which = whichFeeds(id, options, command)
      if (!('file' in which)) return revokeOne(context, which.id, options)
      const { changeFromTable } = await import('./change-from-table.ts')
      return changeFromTable(context, which.file, { kind: 'revoke', label, purge }, options)
    })
}

function revokeOne(
  context: CommandContext,
  idOrAddress: string,
  { label, purge = false, json }: RevokeOptions,
): Promise<void> {
  return context.withUseCases(async ({ administration: { changes, feedLinks, listing } }) => {
    const { id } = await listing.find(idOrAddress)
    if (label === undefined) await changes.revoke(id, purge)
    else await feedLinks.end(id, label, purge)
    if (json) return printJson(context, await listing.show(id))
    const what = label === undefined ? 'The feed' : `The link "${label}"`
    const after = purge ? '; for 30 days its calendar says so' : ''
    context.print(`${what} has ended${after}.`)
  })
}
