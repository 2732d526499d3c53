import { styleText } from 'node:util'

import { Command } from 'commander'

import { AppError } from '../domain/errors.ts'
import type { Examination, Finding } from '../domain/examination.ts'
import type { CommandContext } from './context.ts'

interface DoctorOptions {
  readonly company?: string
  readonly json?: boolean
}

/** `doctor`: examines the connected Read API and says what to set; fails unless feeds can be served whole. */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('examine the connected Read API and say which settings to change')
    .option('--company <id>', 'only this company')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExample:\n  bridge doctor --company main')
    .action((options: DoctorOptions) => examineCompanies(context, options))
}

function examineCompanies(context: CommandContext, options: DoctorOptions): Promise<void> {
  return context.withUseCases(async ({ examiner }) => {
    const ids = options.company === undefined ? examiner.companyIds() : [options.company]
    const examinations: Examination[] = []
    for (const id of ids) examinations.push(await examiner.run(id))
    context.print(options.json ? jsonOf(examinations) : textOf(examinations))
    const ill = examinations.filter(({ ok }) => !ok).map(({ companyId }) => companyId)
    if (ill.length === 0) return
    throw new AppError('invalid', `Calendars cannot be served whole for ${ill.join(', ')}.`)
  })
}

/** One examination by itself, several as an array. */
function jsonOf(examinations: readonly Examination[]): string {
  return JSON.stringify(examinations.length === 1 ? examinations[0] : examinations, null, 2)
}

function textOf(examinations: readonly Examination[]): string {
  return examinations.map(companyText).join('\n\n')
}

function companyText({ companyId, ok, findings }: Examination): string {
  const verdict = ok ? 'calendars can be served whole' : 'calendars cannot be served whole'
  const width = Math.max(...findings.map(({ check }) => check.length))
  const title = styleText('bold', `Company ${companyId}: ${verdict}.`)
  return [title, ...findings.map((finding) => findingText(finding, width))].join('\n\n')
}

function findingText({ check, ok, seen, means, set }: Finding, width: number): string {
  const mark = ok ? styleText('green', 'ok   ') : styleText('red', 'wrong')
  const margin = ' '.repeat(width + 9)
  const advice = set === null ? [] : [`Set ${styleText('bold', set)}`]
  return [
    `${mark}  ${check.padEnd(width)}  ${seen}`,
    ...[means, ...advice].map((line) => margin + line),
  ].join('\n')
}
