import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { linkLabel } from '../option-values.ts'
import { printJson } from '../print.ts'
import { addressesText, warnOfAssumed, addressHint } from './addresses.ts'
import { warnOfNoCompany } from './without-company.ts'

const examples = `
Example:
  bridge feed link feed_0123456789abcdef --label phone

Each link ends, or is rotated, by itself, so that one that leaks can be replaced without the others.

${addressHint}`

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
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action((idOrAddress: string, { label, json }: { label: string; json?: boolean }) =>
      context.withUseCases(async (useCases) => {
        const { feedLinks, listing } = useCases.administration
        const { id } = await listing.find(idOrAddress)
        const link = await feedLinks.create(id, { label })
        warnOfAssumed(context, useCases)
        warnOfNoCompany(context, useCases, [await listing.show(id)])
        if (json) printJson(context, link)
        else context.print(addressesText(`${id}  ${link.label}`, link))
      }),
    )
}
