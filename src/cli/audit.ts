import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { AuditPage } from '../access/audit-log.ts'
import { commandLine } from '../domain/access/staff.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty, wholeNumber } from './option-values.ts'
import { printJson, shortTime, textTable } from './output.ts'

export function auditCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('audit')
    .description('show the audit log, newest first')
    .option('--feed <id>', 'only this feed (its id or one of its addresses)', nonEmpty)
    .option('--user <id>', 'only feeds of this person', nonEmpty)
    .option('--since <date>', 'only from this date or instant on', nonEmpty)
    .option('--limit <count>', 'maximum entries (default 100)', wholeNumber)
    .option('--json', 'print JSON, as the API answers')
    .addHelpText('after', '\nExample:\n  bridge audit --user usr_ada --since 2026-11-01')
    .action(({ feed, user: userId, since, limit, json = false }) =>
      context.withUseCases(async ({ access, administration: { listing } }) => {
        const feedId = feed === undefined ? undefined : (await listing.find(feed)).id
        const { readAuditPage } = await import('../access/audit-log.ts')
        const query = { feedId, userId, since, limit }
        const page = await readAuditPage(access.audit, commandLine, query)
        if (json) return printJson(context, page)
        const isFiltered = feed !== undefined || userId !== undefined || since !== undefined
        if (page.data.length === 0) {
          context.warn(isFiltered ? 'No matching entries.' : 'The audit log is empty.')
        } else {
          const header = ['AT (UTC)', 'WHO', 'WHAT', 'COMPANY', 'FEED', 'PEOPLE', 'LABEL']
          context.print(textTable(header, page.data.map(cellsOf)))
        }
        if (page.nextCursor !== null) {
          context.warn('There are more entries; --limit shows up to 1000.')
        }
      }),
    )
}

function cellsOf(entry: AuditPage['data'][number]): readonly string[] {
  const { at, actor, action, companyId, feedId, userIds, label } = entry
  const [first = '–'] = userIds
  const people = userIds.length > 1 ? `${first} and ${userIds.length - 1} more` : first
  return [shortTime(at), actor, action, companyId ?? '–', feedId ?? '–', people, label ?? '–']
}
