import { Command } from 'commander'

import { commandLine } from '../domain/access/staff.ts'
import type { CommandContext } from './context.ts'
import { nonEmpty } from './option-values.ts'
import { printJson } from './print.ts'

interface EraseOptions {
  readonly user: string
  readonly company?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

/** `erase`: removes what is kept about a person, and says what calendar programs outside still hold. */
export function eraseCommand(context: CommandContext): Command {
  return new Command('erase')
    .description('remove everything kept about a person')
    .requiredOption('--user <id>', 'the person', nonEmpty)
    .option('--company <id>', 'the company, where several know the id', nonEmpty)
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'print what was removed as JSON')
    .addHelpText('after', '\nExample:\n  bridge erase --user usr_ada --dry-run')
    .action(({ user, company, dryRun, json }: EraseOptions) =>
      context.withUseCases(async ({ erasing }) => {
        const { erasePerson } = await import('../people/erasure.ts')
        const { describeErasure, viewErasure } = await import('../people/erasure-report.ts')
        const input = { userId: user, companyId: company, isDry: dryRun === true }
        const erasure = await erasePerson(erasing, input, commandLine)
        if (json) printJson(context, viewErasure(erasure))
        else context.print(describeErasure(erasure))
      }),
    )
}
