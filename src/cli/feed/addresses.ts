import type { LinkAddresses } from '../../feeds/feed-address.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { textTable } from '../table.ts'

/** What the help says of the argument `<id>`. */
export const addressHint = `In place of the id an address of the feed can be given, such as one that leaked; but it then stands in the list of
processes and in the shell's history.`

/** The secret addresses of a link, under a line that says whose they are. */
export function addressesText(
  whose: string,
  { url = '', page = '' }: { readonly [K in keyof LinkAddresses]?: string | undefined },
): string {
  return [whose, textTable(['Calendar', url], [['Page', page]])].join('\n')
}

/** Says so where addresses that are about to be printed may not be those of the server. */
export function warnOfAssumed(
  { warn }: Pick<CommandContext, 'warn'>,
  { assumedUrl }: Pick<UseCases, 'assumedUrl'>,
): void {
  if (assumedUrl === undefined) return
  warn(
    `The bridge does not run at the moment; the addresses assume ${assumedUrl}. Set PUBLIC_URL, or start it first.`,
  )
}
