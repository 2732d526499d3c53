import type { LinkAddresses } from '../../feeds/feed-address.ts'
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
