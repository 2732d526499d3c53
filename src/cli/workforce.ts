import { createReadStream } from 'node:fs'

import {
  Command,
  InvalidArgumentError,
  Option,
  type CommandUnknownOpts,
} from '@commander-js/extra-typings'

import { AppError, asAppError, cannotRead } from '../domain/errors.ts'
import { locales } from '../domain/feed.ts'
import { printableLine } from '../text/plain-text.ts'
import type { CommandContext, RecordCounts } from './context.ts'
import { upTo, wholeNumber } from './option-values.ts'
import { writeOutput } from './write-output.ts'

export function workforceCommand(context: CommandContext): CommandUnknownOpts {
  return new Command('workforce')
    .description('run the embedded Read API on its own, or fill it')
    .addCommand(serveCommand(context))
    .addCommand(importCommand(context))
    .addCommand(resetCommand(context))
    .addCommand(sampleCommand(context))
}

function serveCommand({ workforce, print }: CommandContext): CommandUnknownOpts {
  return new Command('serve')
    .description('run the Read API on its own')
    .option('--port <number>', 'port; 0 picks a free one', upTo(65_535), 8090)
    .addOption(databaseOption)
    .option('--json', 'print the address as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  bridge workforce serve --port 8090 --database file:./company.sqlite',
    )
    .action(async ({ json, ...settings }) =>
      (await workforce()).serve(settings, (url, tokenFile) => {
        if (json) return print(JSON.stringify({ url }))
        print(`The Read API is running. WORKFORCE_BASE_URL=${url}`)
        print(`Try its operations at ${url}/docs, and change its records at ${url}/sandbox.`)
        if (tokenFile !== undefined) print(`The admin token is in ${tokenFile}.`)
      }),
    )
}

const importHelp = `
Examples:
  bridge workforce import company.json
  bridge workforce sample --users 500 | bridge workforce import - --company acme`

function importCommand(context: CommandContext): CommandUnknownOpts {
  const { workforce, input, progress, print } = context
  return new Command('import')
    .description('replace a company of the Read API with the one in a file')
    .argument('<file.json>', 'company file, as workforce sample writes it; - for standard input')
    .addOption(companyOption)
    .addOption(databaseOption)
    .option('--empty', 'accept a file without people')
    .option('--json', 'print the counts as JSON')
    .addHelpText('after', importHelp)
    .action(async (file, { json = false, ...settings }) => {
      const opened =
        file === '-'
          ? { name: 'Standard input', bytes: input(), progress }
          : { name: `The file ${file}`, bytes: bytesOf(file), progress }
      const report = await (await workforce()).importCompany(opened, settings).catch(failWithFaults)
      const { companyId, isChanged, counts } = report
      if (json) return print(JSON.stringify({ companyId, changed: isChanged, ...counts }))
      const all = listCounts(counts)
      print(
        isChanged
          ? `Loaded ${all} into the company ${companyId}.`
          : `Nothing changed: the company ${companyId} already holds exactly this (${all}).`,
      )
    })
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } catch (cause) {
    throw cannotRead(file, cause)
  }
}

/** Puts each fault on its own line, with its RFC 6901 pointer into the file. */
function failWithFaults(error: unknown): never {
  const { faults = [], code = 'invalid', message = '' } = asAppError(error) ?? {}
  if (faults.length === 0) throw error
  const lines = faults.map(({ pointer, detail }) => `${printableLine(pointer || '/')}: ${detail}`)
  throw new AppError(code, [...lines, message].join('\n'), { cause: error })
}

function resetCommand({ workforce, print }: CommandContext): CommandUnknownOpts {
  return new Command('reset')
    .description(
      'undo every change: main becomes the sample of today, any other company what was loaded',
    )
    .addOption(companyOption)
    .addOption(databaseOption)
    .option('--json', 'print the company as JSON')
    .addHelpText('after', '\nExample:\n  bridge workforce reset --company acme')
    .action(async ({ json, ...settings }) => {
      const { companyId, isSample } = await (await workforce()).resetCompany(settings)
      if (json) return print(JSON.stringify({ companyId }))
      const what = isSample ? 'is the sample company of today' : 'holds what was loaded last'
      print(`The company ${companyId} ${what}.`)
    })
}

/** A larger file could not be imported. */
const usersMax = 20_000

const sampleHelp = `
Example:
  bridge workforce sample --users 500 --seed 7 --locale de --output company.json`

function sampleCommand({ workforce, print, stream }: CommandContext): CommandUnknownOpts {
  return new Command('sample')
    .description('write a sample company of any size')
    .option('--users <count>', `number of people (4–${usersMax})`, upTo(usersMax))
    .option('--seed <number>', 'the same seed gives the same company', wholeNumber)
    .addOption(
      new Option('--locale <locale>', 'language of names and texts').choices(locales).default('en'),
    )
    .option('--output <file>', 'output file; - for standard output', '-')
    .option('--json', 'print what was written as JSON (with --output)')
    .addHelpText('after', sampleHelp)
    .action(async ({ output, json, ...options }) => {
      const company = (await workforce()).sampleCompany(options)
      if (output === '-') return stream(company.parts)
      await writeOutput(output, company.parts)
      const counts = company.counts()
      print(json ? JSON.stringify({ output, ...counts }) : `${output}: ${listCounts(counts)}.`)
    })
}

const companyOption = new Option('--company <id>', 'company (default: main)').argParser((value) => {
  // URLs resolve one or two dots as path steps.
  if (/^(?!\.{1,2}$)[\w.-]{1,64}$/.test(value)) return value
  throw new InvalidArgumentError(
    'It must be 1 to 64 letters, digits, or any of _ . -, not dots alone',
  )
})
const databaseOption = new Option(
  '--database <url>',
  'file:… or postgres://… (default: WORKFORCE_DATABASE_URL)',
)

/** Such as "12 users, 1 leave". */
function listCounts(counts: RecordCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  const named = some.map(
    ([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`,
  )
  return named.join(', ') || 'nothing'
}
