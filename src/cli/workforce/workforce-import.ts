import { Command } from 'commander'

import { AppError } from '../../domain/errors.ts'
import type { CommandContext, SandboxSettings } from '../context.ts'
import { readInput } from '../read-input.ts'
import { countsOf, listCounts } from './company-counts.ts'

interface ImportOptions extends SandboxSettings {
  readonly json?: boolean
}

/** `workforce import`: replaces the company of the Read API; a file with faults is refused with all of them. */
export function workforceImportCommand({ workforce, print }: CommandContext): Command {
  return new Command('import')
    .description('replace the company of the Read API by that of a file')
    .argument('<file.json>', 'a company, as workforce sample writes one')
    .option('--database <url>', 'file:… or postgres://…, if not WORKFORCE_DATABASE_URL')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', '\nExample:\n  bridge workforce import company.json')
    .action(async (file: string, { json, ...settings }: ImportOptions) => {
      const company = parse(await readInput(file), file)
      await workforce.importCompany(company, settings)
      const counts = countsOf(company)
      print(json ? JSON.stringify(counts) : `Loaded ${listCounts(counts)}.`)
    })
}

function parse(text: string, file: string): object {
  try {
    return Object(JSON.parse(text))
  } catch (cause) {
    throw new AppError('invalid', `The file ${file} is not JSON.`, { cause })
  }
}
