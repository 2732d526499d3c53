import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { UndoneByRestore } from '../domain/undone-by-restore.ts'
import { shellWord } from '../text/shell-word.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'
import { printJson } from './output.ts'

const help = `
Stop the bridge first. The backup is checked, and the former database stays beside the new one for 30 days.

What has ended since the backup works again, and people who were erased since are back. The commands that end and erase them again
are printed on standard output: run them before you start the bridge.

Example:
  bridge restore --input backup.sqlite > again.sh`

export function restoreCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('restore')
    .description('put a backup in place of the SQLite database, while the bridge is stopped')
    .requiredOption('--input <file>', 'backup to restore; it stays as it is', nonEmpty)
    .option('--json', 'print what was restored as JSON')
    .addHelpText('after', help)
    .action(async ({ input, json }) => {
      const restored = await context.restore(input, (count, total) =>
        context.progress('Pages written:', count, total),
      )
      if (json) return printJson(context, { input, ...restored })
      const { database, replaced, undone } = restored
      const former = replaced === null ? '' : ` The former database is ${replaced}.`
      context.warn(`${input} is now the database ${database}.${former}`)
      context.warn(
        'Links made after the backup are unknown (404). What had ended since works again, and people who were erased since are back.',
      )
      if (replaced !== null && undone === null) {
        context.warn('The former database cannot be read: look in your logs for what that is.')
      }
      const commands = undone ? commandsOf(undone) : []
      if (undone) context.warn(commands.length === 0 ? 'Nothing had ended.' : 'Run these commands:')
      if (commands.length > 0) context.print(commands.join('\n'))
    })
}

/** The commands that do again what the restore has undone. */
function commandsOf({ feeds, links, rotated, tokens, erased }: UndoneByRestore): readonly string[] {
  const commands = [
    ...feeds.map(({ feedId, purged }) => ['feed revoke', feedId, ...(purged ? ['--purge'] : [])]),
    ...links.map(({ feedId, label }) => ['feed revoke', feedId, '--label', label]),
    ...rotated.map(({ feedId, label }) => ['feed rotate', feedId, '--label', label]),
    ...tokens.map(({ name, companyId }) => ['token revoke', name, ...ofCompany(companyId)]),
    ...erased.map(({ userId, companyId }) => ['erase', '--user', userId, ...ofCompany(companyId)]),
  ]
  return commands.map(([command = '', ...words]) =>
    [`npm run -s bridge -- ${command}`, ...words.map(shellWord)].join(' '),
  )
}

function ofCompany(companyId: string | null): readonly string[] {
  return companyId === null ? [] : ['--company', companyId]
}
