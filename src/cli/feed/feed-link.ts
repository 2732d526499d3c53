import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { linkLabel } from '../option-values.ts'
import { printJson } from '../print.ts'
import { addressesText, warnOfAssumed, addressHint } from './addresses.ts'
import { mailingFor, mailOne, mailOption, requireMailable } from './mailing.ts'
import { warnOfNoCompany } from './without-company.ts'

const examples = `
Example:
  bridge feed link feed_0123456789abcdef --label phone

Each link ends, or is rotated, by itself, so that one that leaks can be replaced without the others.

${addressHint}`

interface LinkOptions {
  readonly label: string
  readonly mail?: boolean
  readonly json?: boolean
}

/** `feed link`: one more address of the same feed. */
export function feedLinkCommand(context: CommandContext): Command {
  return new Command('link')
    .description('give a feed one more secret address and print it, the only time it is shown')
    .argument('<id>', "the feed's id, or an address of it")
    .requiredOption(
      '--label <label>',
      'for what it is, such as phone; each label stands for one link',
      linkLabel,
    )
    .addOption(mailOption())
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action((idOrAddress: string, options: LinkOptions, command: Command) =>
      context.withUseCases(async (useCases) => {
        const { label, json } = options
        const { feedLinks, listing } = useCases.administration
        const invitations = mailingFor(useCases, options, command)
        const { id } = await listing.find(idOrAddress)
        if (invitations) await requireMailable(useCases, invitations, await listing.show(id))
        const link = await feedLinks.create(id, { label })
        const feed = await listing.show(id)
        warnOfAssumed(context, useCases)
        warnOfNoCompany(context, useCases, [feed])
        if (json) printJson(context, link)
        else context.print(addressesText(`${id}  ${link.label}`, link))
        if (!invitations) return
        const invitation = { kind: 'invitation', feed, label, page: link.page ?? '' } as const
        await mailOne(context, useCases, { ...invitation, invitations }, json)
      }),
    )
}
