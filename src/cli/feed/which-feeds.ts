import { type Command, Option } from 'commander'

/** Adds what says which feeds a command changes: one, or those of a table. */
export function withFeeds(command: Command): Command {
  return command
    .argument('[id]', "the feed's id, or an address of it")
    .addOption(new Option('--from <file.csv>', 'all feeds of the table, by feedId or userId'))
    .option('--company <id>', 'with --from: only feeds of this company')
}

interface TableFlags {
  readonly from?: string
  readonly company?: string
  readonly excel?: boolean
  readonly dryRun?: boolean
}

/** The one feed, or the file of the table; ends the command where both or none are given. */
export function whichFeeds(
  id: string | undefined,
  { from, company, excel, dryRun }: TableFlags,
  command: Command,
): { readonly id: string } | { readonly file: string } {
  if (id !== undefined && from !== undefined) {
    return command.error('error: say which feed by its id, or which feeds with --from FILE.csv')
  }
  if (from !== undefined) return { file: from }
  if (id === undefined)
    return command.error('error: say which feed by its id, or with --from FILE.csv')
  if (company !== undefined || excel) {
    return command.error('error: --company and --excel go with --from FILE.csv')
  }
  if (dryRun) return command.error('error: --dry-run goes with --from FILE.csv')
  return { id }
}

/** What the help says of the table. */
export const tableHint = `The table needs a column feedId or userId, as those have that this program prints; by userId all feeds are meant that
this person has alone. All rows are checked before the first feed is changed, and each feed is printed as soon as it is.`
