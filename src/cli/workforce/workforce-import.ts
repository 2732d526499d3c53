import { createReadStream } from 'node:fs'

import { Command } from 'commander'

import { AppError, asAppError, cannotRead } from '../../domain/errors.ts'
import { printableLine } from '../../text/plain-text.ts'
import type { CommandContext, ImportedFile, ImportReport, ImportSettings } from '../context.ts'
import { printWarnings } from '../print.ts'
import { listCounts } from './company-counts.ts'
import { companyOption } from './company-option.ts'

interface ImportOptions extends ImportSettings {
  readonly json?: boolean
}

const examples = `
Examples:
  bridge workforce import company.json
  bridge workforce sample --users 500 | bridge workforce import - --company acme`

/** `workforce import`: replaces a company of the Read API; a file with faults is refused with all of them. */
export function workforceImportCommand(context: CommandContext): Command {
  return new Command('import')
    .description('replace a company of the Read API by that of a file')
    .argument('<file.json>', 'a company, as workforce sample writes one; - is standard input')
    .addOption(companyOption())
    .option('--database <url>', 'file:… or postgres://…, if not WORKFORCE_DATABASE_URL')
    .option('--empty', 'also where the file has no people')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', examples)
    .action(async (file: string, { json = false, ...settings }: ImportOptions) => {
      const opened = openFile(file, context)
      const tools = await context.workforce()
      const report = await tools.importCompany(opened, settings).catch(sayFaults)
      printWarnings(context, report.warnings.map(printableLine))
      context.print(json ? jsonOf(report) : sentenceOf(report))
    })
}

function openFile(file: string, { input, progress }: CommandContext): ImportedFile {
  if (file === '-') return { name: 'Standard input', bytes: input(), progress }
  return { name: `The file ${file}`, bytes: bytesOf(file), progress }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}

function jsonOf({ companyId, isChanged, counts }: ImportReport): string {
  return JSON.stringify({ companyId, changed: isChanged, ...counts })
}

function sentenceOf({ companyId, isChanged, counts }: ImportReport): string {
  const all = listCounts(counts)
  return isChanged
    ? `Loaded ${all} into the company ${companyId}.`
    : `Nothing changed: the company ${companyId} holds just that already (${all}).`
}

/** Where something is wrong in the file is said as an RFC 6901 pointer, which is what finds it there. */
function sayFaults(error: unknown): never {
  const { faults = [], code = 'invalid', message = '' } = asAppError(error) ?? {}
  if (faults.length === 0) throw error
  const lines = faults.map(({ pointer, detail }) => `${printableLine(pointer || '/')}: ${detail}`)
  throw new AppError(code, [...lines, message].join('\n'), { cause: error })
}
