import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { AppError } from '../domain/errors.ts'
import type { MigrationPlan } from '../domain/migration-plan.ts'
import type { CommandContext } from './context.ts'
import { counted, printJson, textTable } from './output.ts'

const help = `
Every start of the bridge does this, and so does every command that uses the database, except backup and restore. Before a SQLite
file changes, it is copied beside itself; stop the bridge first. On PostgreSQL, nodes of the version before keep running.

With --dry-run nothing changes, and the bridge may run: the steps are tried on a copy of the SQLite file beside it, or on temporary
copies of the PostgreSQL tables that they touch. Both need room on the disk. The time does not include waiting for others.

Examples:
  bridge migrate --dry-run
  bridge migrate`

export function migrateCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('migrate')
    .description('bring the tables of the database up to date with this program')
    .option('--dry-run', 'only say what would change, and how long that takes')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async ({ dryRun = false, json = false }) => {
      if (dryRun) return tell(context, json)
      const { steps, copy } = await context.migrate()
      if (json) return printJson(context, { steps, copy })
      if (steps.length === 0) return context.print('The database is up to date.')
      context.print(`Done: ${steps.join(', ')}.`)
      if (copy !== null) context.print(`The database as it was: ${copy}`)
    })
}

async function tell(context: CommandContext, json: boolean): Promise<void> {
  const plan = await context.planMigration((count, total) =>
    context.progress('Pages copied for the trial:', count, total),
  )
  if (json) printJson(context, plan)
  else context.print(linesOf(plan).join('\n'))
  const { copy } = plan
  if (copy === null || copy.exists || copy.bytes <= copy.freeBytes) return
  throw new AppError('unavailable', 'The disk has no room for the copy: make room first.')
}

function linesOf(plan: MigrationPlan): readonly string[] {
  const { taken, steps, tables } = plan
  if (steps.length === 0) return [`The database is up to date: ${counted(taken, 'step')}.`]
  const isMeasured = steps.every(({ ms }) => ms !== null)
  const rows = steps.map(({ name, changes, ms }) => [name, secondsOf(ms), changes.join(', ')])
  return [
    `${counted(taken, 'step')} of ${taken + steps.length} done, ${steps.length} to do:`,
    '',
    textTable(['STEP', 'SECONDS', 'CHANGES'], rows),
    '',
    ...(tables.length === 0
      ? []
      : [
          textTable(
            ['TABLE', 'ROWS'],
            tables.map(({ name, rows: many }) => [name, `${many}`]),
          ),
          '',
        ]),
    ...copyLines(plan),
    isMeasured
      ? `This takes about ${secondsOf(totalOf(plan))} s, measured on copies of this data.`
      : 'The time is not measured: a trial needs three times the room of the copy.',
  ]
}

function copyLines({ copy }: MigrationPlan): readonly string[] {
  if (copy === null) return []
  const { file, exists, bytes, freeBytes } = copy
  if (exists) return [`No copy is made first, since ${file} exists already.`]
  return [
    `First a copy is made, ${file}: ${inMegabytes(bytes)}, of ${inMegabytes(freeBytes)} free.`,
  ]
}

function totalOf({ steps, copy, copyMs }: MigrationPlan): number {
  const copying = copy === null || copy.exists ? 0 : (copyMs ?? 0)
  return steps.reduce((sum, { ms }) => sum + (ms ?? 0), copying)
}

function secondsOf(ms: number | null): string {
  return ms === null ? '–' : (ms / 1000).toFixed(2)
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
