import { styleText } from 'node:util'

import { Command, Help, Option } from 'commander'

import { AppError } from '../domain/errors.ts'
import type { Examination, Finding, FindingLevel } from '../domain/examination.ts'
import { adviceOf } from './advice.ts'
import type { CommandContext } from './context.ts'
import { wrongCompany } from './wrong-company.ts'

interface DoctorOptions {
  readonly company?: string
  readonly env?: boolean
  readonly json?: boolean
}

const width = 100
const margin = ' '.repeat('wrong  '.length)
const colours = { ok: 'green', note: 'yellow', wrong: 'red' } as const
const levels = ['wrong', 'note'] as const

const help = `
Each finding is ok, note (worth knowing; no calendar lacks anything for it) or wrong.

Examples:
  bridge doctor --company main
  bridge doctor --env >> .env     what it advises; put your secret in where it writes TOKEN`

/** `doctor`: examines the connected Read API and says what to set; fails unless feeds can be served whole. */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('examine the connected Read API and say which settings to change')
    .option('--company <id>', 'only this company')
    .addOption(new Option('--env', 'print only the lines to put into .env').conflicts('json'))
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action((options: DoctorOptions) => examineCompanies(context, options))
}

function examineCompanies(context: CommandContext, options: DoctorOptions): Promise<void> {
  return context.withUseCases(async ({ examiner }) => {
    const ids = wantedOf(options, examiner.companyIds())
    const examinations: Examination[] = []
    for (const id of ids) examinations.push(await examiner.run(id))
    report(context, examinations, options)
    const ill = examinations.filter(({ ok }) => !ok).map(({ companyId }) => companyId)
    if (ill.length === 0) return
    throw new AppError('invalid', `Calendars cannot be served whole for ${ill.join(', ')}.`)
  })
}

function wantedOf({ company }: DoctorOptions, known: readonly string[]): readonly string[] {
  if (company === undefined) return known
  if (known.includes(company)) return [company]
  throw wrongCompany(company, known)
}

function report(
  context: CommandContext,
  examinations: readonly Examination[],
  { env = false, json = false }: DoctorOptions,
): void {
  if (env) return printLines(context, examinations)
  context.print(json ? jsonOf(examinations) : examinations.map(companyText).join('\n\n\n'))
}

/** What has its place in `COMPANIES_FILE` cannot stand in `.env`. */
function printLines(
  { print, warn }: Pick<CommandContext, 'print' | 'warn'>,
  examinations: readonly Examination[],
): void {
  for (const { companyId, lines, members } of examinations.map(adviceOf)) {
    for (const line of lines) print(line)
    if (members.length > 0) warn(membersText(companyId, members))
  }
}

/** One examination by itself, several as an array. */
function jsonOf(examinations: readonly Examination[]): string {
  return JSON.stringify(examinations.length === 1 ? examinations[0] : examinations, null, 2)
}

function companyText(examination: Examination): string {
  const { companyId, findings } = examination
  const { lines, members } = adviceOf(examination)
  const block = lines.length > 0 ? [`For .env:\n\n${lines.join('\n')}`] : []
  const file = members.length > 0 ? [membersText(companyId, members)] : []
  return [titleOf(examination), ...findings.map(findingText), ...block, ...file].join('\n\n')
}

function titleOf({ companyId, ok, findings }: Examination): string {
  const verdict = ok ? 'calendars can be served whole' : 'calendars cannot be served whole'
  const counts = levels
    .map((level) => [level, findings.filter((finding) => finding.level === level).length] as const)
    .filter(([, count]) => count > 0)
    .map(([level, count]) => ` ${capital(level)}: ${count}.`)
  return styleText('bold', `Company ${companyId}: ${verdict}.${counts.join('')}`)
}

function findingText({ check, level, seen, means, set }: Finding): string {
  const advice = set === null ? [] : [`${margin}Set ${styleText('bold', set)}`]
  return [`${mark(level)}  ${check}`, wrapped(seen), wrapped(means), ...advice].join('\n')
}

function mark(level: FindingLevel): string {
  return styleText(colours[level], level.padEnd(margin.length - 2))
}

function wrapped(text: string): string {
  const lines = new Help().boxWrap(text, width - margin.length)
  return lines.replaceAll(/^/gm, margin)
}

function membersText(companyId: string, members: readonly string[]): string {
  return `For the company ${companyId} in COMPANIES_FILE:\n\n${members.join(',\n')}`
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
