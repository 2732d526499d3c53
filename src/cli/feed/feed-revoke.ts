import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { printJson } from '../print.ts'
import { addressHint } from './addresses.ts'

interface RevokeOptions {
  readonly label?: string
  readonly purge?: boolean
  readonly json?: boolean
}

const examples = `
Examples:
  bridge feed revoke feed_0123456789abcdef
  bridge feed revoke feed_0123456789abcdef --label phone --purge

Calendar programs keep what they have when an address is gone. With --purge they get, for 30 days, a calendar of one
event that says that it has ended, and drop everything else.

${addressHint}`

/** `feed revoke`: the end of a feed, or of one of its links. */
export function feedRevokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('end a feed, or one of its links, for good')
    .argument('<id>', "the feed's id, or an address of it")
    .option('--label <label>', 'only this link')
    .option('--purge', 'first 30 days of a calendar that says that it has ended')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((idOrAddress: string, { label, purge = false, json }: RevokeOptions) =>
      context.withUseCases(async ({ administration: { changes, feedLinks, listing } }) => {
        const { id } = await listing.find(idOrAddress)
        if (label === undefined) await changes.revoke(id, purge)
        else await feedLinks.end(id, label, purge)
        if (json) return printJson(context, await listing.show(id))
        const what = label === undefined ? 'The feed' : `The link "${label}"`
        const after = purge ? '; for 30 days its calendar says so' : ''
        context.print(`${what} has ended${after}.`)
      }),
    )
}
