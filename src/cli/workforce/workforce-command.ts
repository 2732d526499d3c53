import { Command } from 'commander'

import type { CommandContext } from '../context.ts'
import { workforceImportCommand } from './workforce-import.ts'
import { workforceResetCommand } from './workforce-reset.ts'
import { workforceSampleCommand } from './workforce-sample.ts'
import { workforceServeCommand } from './workforce-serve.ts'

/** `workforce …`: the Read API alone, and companies for it. */
export function workforceCommand(context: CommandContext): Command {
  return new Command('workforce')
    .description('run the embedded Read API by itself, or fill it')
    .addCommand(workforceServeCommand(context))
    .addCommand(workforceImportCommand(context))
    .addCommand(workforceResetCommand(context))
    .addCommand(workforceSampleCommand(context))
}
