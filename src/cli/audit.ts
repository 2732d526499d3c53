import { Command } from 'commander'

import type { AuditEntryView, AuditPage } from '../access/audit-view.ts'
import { commandLine } from '../domain/access/staff.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty, wholeNumber } from './option-values.ts'
import { printJson } from './print.ts'
import { shortTime, textTable } from './table.ts'

interface AuditOptions {
  readonly feed?: string
  readonly user?: string
  readonly since?: string
  readonly limit?: number
  readonly json?: boolean
}

const header = ['AT (UTC)', 'WHO', 'WHAT', 'COMPANY', 'FEED', 'PEOPLE', 'LABEL']

/** `audit`: who did what, the last first. */
export function auditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('say who did what, the last first')
    .option('--feed <id>', 'only what was done to this feed; an address of it will do', nonEmpty)
    .option('--user <id>', 'only what was done to feeds of this person', nonEmpty)
    .option('--since <date>', 'only from then on: a date or an instant', nonEmpty)
    .option('--limit <count>', 'at most so many; 100 where it is left out', wholeNumber)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', '\nExample:\n  bridge audit --user usr_ada --since 2026-11-01')
    .action(({ feed, user: userId, since, limit, json = false }: AuditOptions) =>
      context.withUseCases(async ({ access, administration: { listing } }) => {
        const feedId = feed === undefined ? undefined : (await listing.find(feed)).id
        const page = await access.auditLog.list(commandLine, { feedId, userId, since, limit })
        if (json) return printJson(context, page)
        const isFiltered = [feed, userId, since].some((it) => it !== undefined)
        printPage(
          context,
          page,
          isFiltered ? 'Nothing like that is noted.' : 'Nothing is noted yet.',
        )
      }),
    )
}

function printPage(
  { print, warn }: Pick<CommandContext, 'print' | 'warn'>,
  { data, nextCursor }: AuditPage,
  saidOfNone: string,
): void {
  if (data.length > 0) print(textTable(header, data.map(cellsOf)))
  else warn(saidOfNone)
  if (nextCursor !== null) warn('There is more; --limit 1000 shows up to so many.')
}

function cellsOf({ at, actor, action, ...done }: AuditEntryView): readonly string[] {
  const { companyId, feedId, userIds, label } = done
  const [first = '–'] = userIds
  const people = userIds.length > 1 ? `${first} and ${userIds.length - 1} more` : first
  return [shortTime(at), actor, action, companyId ?? '–', feedId ?? '–', people, label ?? '–']
}
