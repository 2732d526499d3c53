import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { wholeNumber } from '../option-values.ts'
import { printJson } from '../print.ts'
import { addressesText, addressHint } from './addresses.ts'

interface RotateOptions {
  readonly label?: string
  readonly graceDays: number
  readonly json?: boolean
}

const examples = `
Examples:
  bridge feed rotate feed_0123456789abcdef                  (the old address ends at once)
  bridge feed rotate feed_0123456789abcdef --grace-days 7   (it goes on for a week and says in the calendar when it ends)

${addressHint}`

/** `feed rotate`: a new address in place of one that leaked or is to change. */
export function feedRotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('give a feed a new secret address and end the old one')
    .argument('<id>', "the feed's id, or an address of it")
    .option('--label <label>', 'which of its links; if not given, that of the address, or default')
    .option('--grace-days <days>', 'for how long the old address goes on', wholeNumber, 0)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', examples)
    .action((id: string, { label, graceDays, json }: RotateOptions) =>
      context.withUseCases(async ({ administration: { feedLinks, listing } }) => {
        const found = await listing.find(id)
        const link = await feedLinks.rotate(found.id, { label: label ?? found.label, graceDays })
        if (json) return printJson(context, link)
        context.print(addressesText(`${found.id}  ${link.label}`, link))
        context.warn(endOfOld(graceDays))
      }),
    )
}

function endOfOld(graceDays: number): string {
  if (graceDays === 0) return 'The old address has ended.'
  return `The old address goes on for ${graceDays} ${graceDays === 1 ? 'day' : 'days'}; its calendar says when it ends.`
}
