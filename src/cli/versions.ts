import type { CommandContext } from './context.ts'

/** What `--version` prints: each on a line, or with `--json` among the words as JSON. */
export function versionText(
  { versions }: Pick<CommandContext, 'versions'>,
  words: readonly string[],
): string {
  if (words.includes('--json')) return JSON.stringify(versions, null, 2)
  const { version, node, sqlite, timeZones } = versions
  return [
    `calendar-feed-bridge ${version}`,
    `Node ${node}`,
    `SQLite ${sqlite}`,
    `time-zone data ${timeZones}`,
  ].join('\n')
}
