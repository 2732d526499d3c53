import { Command, InvalidArgumentError, Option } from 'commander'

import { type Locale, locales } from '../../domain/feed.ts'
import type { CommandContext } from '../context.ts'
import { wholeNumber } from '../option-values.ts'
import { writeOutput } from '../write-output.ts'
import { listCounts } from './company-counts.ts'

interface SampleOptions {
  readonly users?: number
  readonly seed?: number
  readonly locale?: Locale
  readonly output: string
  readonly json?: boolean
}

const example = `
Example:
  bridge workforce sample --users 500 --seed 7 --locale de --output company.json`

/** A file of more could not be imported. */
const usersMax = 50_000

/** `workforce sample`: writes a company of any size, the same for the same seed. */
export function workforceSampleCommand({ workforce, print, stream }: CommandContext): Command {
  return new Command('sample')
    .description('write a sample company of any size')
    .option('--users <count>', 'how many people, four to 50000', peopleCount)
    .option('--seed <number>', 'the company is the same for the same one', wholeNumber)
    .addOption(
      new Option('--locale <locale>', 'the language of names and texts')
        .choices(locales)
        .default('en'),
    )
    .option('--output <file>', 'where to; - is standard output', '-')
    .option('--json', 'print what was written as JSON (with --output)')
    .addHelpText('after', example)
    .action(async ({ output, json, ...options }: SampleOptions) => {
      const company = (await workforce()).sampleCompany(options)
      if (output === '-') return stream(company.parts)
      await writeOutput(output, company.parts)
      const counts = company.counts()
      print(json ? JSON.stringify({ output, ...counts }) : `${output}: ${listCounts(counts)}.`)
    })
}

function peopleCount(value: string): number {
  const count = wholeNumber(value)
  if (count <= usersMax) return count
  throw new InvalidArgumentError(`It must be at most ${usersMax}.`)
}
