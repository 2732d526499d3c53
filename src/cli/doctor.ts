import { styleText } from 'node:util'

import { Command, Help, Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import { AppError } from '../domain/errors.ts'
import type { Examination, Finding } from '../domain/examination.ts'
import { adviceOf } from '../examination/advice.ts'
import type { CommandContext } from './context.ts'
import { wrongCompany } from './option-values.ts'

const width = 100
const margin = ' '.repeat('wrong  '.length)
const colours = { ok: 'green', note: 'yellow', wrong: 'red' } as const

const help = `
Each finding is ok, a note (worth knowing, no calendar is affected) or wrong.

Examples:
  bridge doctor --company main
  bridge doctor --env >> .env     add the advised settings; replace TOKEN with your secret`

export function doctorCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('doctor')
    .description('examine the connected Read API and say which settings to change')
    .option('--company <id>', 'only this company')
    .addOption(new Option('--env', 'print only the lines for .env').conflicts('json'))
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', help)
    .action(({ company, env = false, json = false }) =>
      context.withUseCases(async ({ examiner }) => {
        const known = examiner.companyIds()
        if (company !== undefined && !known.includes(company)) throw wrongCompany(company, known)
        const examinations: Examination[] = []
        for (const id of company === undefined ? known : [company]) {
          examinations.push(await examiner.run(id))
        }
        if (env) printLines(context, examinations)
        else if (json) {
          const value = examinations.length === 1 ? examinations[0] : examinations
          context.print(JSON.stringify(value, null, 2))
        } else context.print(examinations.map(companyText).join('\n\n\n'))
        const ill = examinations.filter(({ ok }) => !ok).map(({ companyId }) => companyId)
        if (ill.length === 0) return
        throw new AppError('invalid', `Calendars cannot be served whole for ${ill.join(', ')}.`)
      }),
    )
}

function printLines(context: CommandContext, examinations: readonly Examination[]): void {
  for (const examination of examinations) {
    const { lines, members } = adviceOf(examination)
    for (const line of lines) context.print(line)
    if (members.length > 0) context.warn(membersText(examination.companyId, members))
  }
}

function companyText(examination: Examination): string {
  const { companyId, ok, findings } = examination
  const { lines, members } = adviceOf(examination)
  const verdict = ok ? 'calendars can be served whole' : 'calendars cannot be served whole'
  const countOf = (name: string, level: Finding['level']): string => {
    const count = findings.filter((finding) => finding.level === level).length
    return count > 0 ? ` ${name}: ${count}.` : ''
  }
  const counts = countOf('Wrong', 'wrong') + countOf('Note', 'note')
  return [
    styleText('bold', `Company ${companyId}: ${verdict}.${counts}`),
    ...findings.map(findingText),
    ...(lines.length > 0 ? [`For .env:\n\n${lines.join('\n')}`] : []),
    ...(members.length > 0 ? [membersText(companyId, members)] : []),
  ].join('\n\n')
}

function findingText({ check, level, seen, means, set }: Finding): string {
  const mark = styleText(colours[level], level.padEnd(margin.length - 2))
  const advice = set === null ? [] : [`${margin}Set ${styleText('bold', set)}`]
  return [`${mark}  ${check}`, wrapped(seen), wrapped(means), ...advice].join('\n')
}

function wrapped(text: string): string {
  return new Help().boxWrap(text, width - margin.length).replaceAll(/^/gm, margin)
}

function membersText(companyId: string, members: readonly string[]): string {
  return `For the company ${companyId} in COMPANIES_FILE:\n\n${members.join(',\n')}`
}
