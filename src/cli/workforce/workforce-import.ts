import { Command } from 'commander'

import { AppError, asAppError } from '../../domain/errors.ts'
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
      await workforce.importCompany(company, settings).catch(sayFaults)
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

/** Where something is wrong in the file is said as an RFC 6901 pointer, which is what finds it there. */
function sayFaults(error: unknown): never {
  const { faults = [], code = 'invalid' } = asAppError(error) ?? {}
  if (faults.length === 0) throw error
  const lines = faults.map(({ pointer, detail }) => `${pointer === '' ? '/' : pointer}: ${detail}`)
  throw new AppError(code, lines.join('\n'), { cause: error })
}
