import { Command } from 'commander'

import { AppError } from '../domain/errors.ts'
import type { CommandContext, SandboxSettings } from './context.ts'
import { portNumber, wholeNumber } from './option-values.ts'
import { readInput } from './read-input.ts'
import { writeOutput } from './write-output.ts'

interface SampleOptions {
  readonly users?: number
  readonly seed?: number
  readonly output: string
  readonly json?: boolean
}

type Json = { readonly json?: boolean }

/** `workforce …`: the Read API alone, and companies for it. */
export function workforceCommand(context: CommandContext): Command {
  return new Command('workforce')
    .description('run the embedded Read API by itself, or fill it')
    .addCommand(serveCommand(context))
    .addCommand(importCommand(context))
    .addCommand(sampleCommand(context))
}

function serveCommand({ workforce, print }: CommandContext): Command {
  return new Command('serve')
    .description('run the Read API alone')
    .option('--port <number>', 'where it listens; 0 picks one', portNumber, 8090)
    .option('--database <url>', 'file:… or postgres://…, if not WORKFORCE_DATABASE_URL')
    .option('--json', 'print the address as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  bridge workforce serve --port 8090 --database file:./company.sqlite',
    )
    .action(({ json, ...settings }: SandboxSettings & Json) =>
      workforce.serve(settings, (url) =>
        print(json ? JSON.stringify({ url }) : `The Read API runs. WORKFORCE_BASE_URL=${url}`),
      ),
    )
}

function importCommand({ workforce, print }: CommandContext): Command {
  return new Command('import')
    .description('replace the company of the Read API by that of a file')
    .argument('<file.json>', 'a company, as workforce sample writes one')
    .option('--database <url>', 'file:… or postgres://…, if not WORKFORCE_DATABASE_URL')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', '\nExample:\n  bridge workforce import company.json')
    .action(async (file: string, { json, ...settings }: SandboxSettings & Json) => {
      const company = parse(await readInput(file), file)
      await workforce.importCompany(company, settings)
      const counts = countsOf(company)
      print(json ? JSON.stringify(counts) : `Loaded ${listed(counts)}.`)
    })
}

function sampleCommand({ workforce, print }: CommandContext): Command {
  return new Command('sample')
    .description('write a sample company of any size')
    .option('--users <count>', 'how many people, never fewer than four', wholeNumber)
    .option('--seed <number>', 'the company is the same for the same one', wholeNumber)
    .option('--output <file>', 'where to; - is standard output', '-')
    .option('--json', 'print what was written as JSON (with --output)')
    .addHelpText(
      'after',
      '\nExample:\n  bridge workforce sample --users 500 --seed 7 --output company.json',
    )
    .action(async ({ output, json, ...options }: SampleOptions) => {
      const company = workforce.sampleCompany(options)
      const text = JSON.stringify(company, null, 2)
      if (output === '-') return print(text)
      await writeOutput(output, `${text}\n`)
      const counts = countsOf(company)
      print(json ? JSON.stringify({ output, ...counts }) : `${output}: ${listed(counts)}.`)
    })
}

function parse(text: string, file: string): object {
  try {
    return Object(JSON.parse(text))
  } catch (cause) {
    throw new AppError('invalid', `The file ${file} is not JSON.`, { cause })
  }
}

function countsOf(company: object): Readonly<Record<string, number>> {
  const lists = Object.entries(company).filter(([, list]) => Array.isArray(list))
  return Object.fromEntries(lists.map(([name, list]) => [name, list.length]))
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}
