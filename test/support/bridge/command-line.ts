/* The command line as `main.ts` runs it, in this process: its exit code and what it writes. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'

import { expect, it as bareIt } from 'vitest'

import { runCommandLine } from '../../../src/cli/command-line.ts'
import type { CommandContext } from '../../../src/cli/context.ts'
import { createProgress } from '../../../src/cli/output.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { commandContext } from '../../../src/process/command-context.ts'
import { systemClock } from '../../../src/process/world.ts'
import { readSettings } from '../../../src/settings/read-settings.ts'
import { type CompanyServer, startCompanyServer } from '../company/company-server.ts'
import { twoPeople } from '../company/people.ts'
import type { ApiAnswer } from '../web/api-answer.ts'
import { readsFrom } from './bridge.ts'
import { type LogLine, recordedLog } from './recorded-log.ts'

export interface CommandResult {
  readonly code: number
  /** What went to standard output and to standard error. */
  readonly output: string
  readonly errors: string
  /** What else `LOG_LEVEL=warn` would write to standard error, if anything. */
  readonly logged?: readonly string[]
}

/** The command line of one installation, whose company knows two people. */
export interface TestCommandLine {
  readonly company: CompanyServer
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** `bridge` with these words. */
  run(...words: readonly string[]): Promise<CommandResult>
  /** The same with `--json`; fails unless it succeeds without a word on standard error. */
  json(...words: readonly string[]): Promise<ApiAnswer>
  /** A file of that text, or of those bytes. */
  file(name: string, content: string | Uint8Array): Promise<string>
}

/** `it` with `line`, which the tests of a file share. */
export const it = bareIt
  .extend('folder', { scope: 'file' }, () => mkdtemp(path.join(tmpdir(), 'bridge-cli-')))
  .extend(
    'line',
    { scope: 'file' },
    async ({ folder }, { onCleanup }): Promise<TestCommandLine> => {
      const company = await startCompanyServer()
      Object.assign(company.records, twoPeople())
      onCleanup(async () => {
        await company.close()
        await rm(folder, { recursive: true })
      })
      const variables = {
        ...readsFrom(company.url),
        WORKFORCE_PROJECTS: 'prj_web',
        PUBLIC_URL: 'http://127.0.0.1:8080',
      }
      const environment = { ...databasesIn(folder), ...variables }
      return { company, folder, environment, ...commandsOf(environment, folder) }
    },
  )

function commandsOf(
  environment: Readonly<Record<string, string>>,
  folder: string,
): Pick<TestCommandLine, 'run' | 'json' | 'file'> {
  const run = (...words: readonly string[]): Promise<CommandResult> =>
    runCommand(environment, ...words)
  return {
    run,
    json: async (...words) => {
      const { code, output, errors } = await run(...words, '--json')
      expect([code, errors]).toEqual([0, ''])
      return JSON.parse(output) as ApiAnswer
    },
    file: async (name, content) => {
      const file = path.join(folder, name)
      await writeFile(file, content)
      return file
    },
  }
}

/** When a run is ended: at the first line of output like this, and whether since that can be written no longer. */
export interface RunEnd {
  readonly at: RegExp
  readonly byOutput?: boolean
}

/** Runs one command in an environment, with a database of its own unless that names one. */
export function runCommand(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<CommandResult> {
  return runUntil({ at: /(?!)/ }, environment, ...words)
}

/** The same, ended before it is done. */
export async function runUntil(
  end: RunEnd,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<CommandResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'bridge-command-'))
  const written = { output: '', errors: '' }
  try {
    const log: LogLine[] = []
    const context = contextOf({ ...databasesIn(directory), ...environment }, written, end, log)
    const code = await runCommandLine(words, context)
    const logged = log.filter(({ level }) => level === 'warn' || level === 'error')
    return {
      code,
      ...written,
      ...(logged.length > 0 && { logged: logged.map(({ event }) => event) }),
    }
  } finally {
    await rm(directory, { recursive: true })
  }
}

function databasesIn(directory: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${directory}/bridge.sqlite`,
    WORKFORCE_DATABASE_URL: `file:${directory}/workforce.sqlite`,
  }
}

function contextOf(
  environment: Readonly<Record<string, string>>,
  written: { output: string; errors: string },
  { at, byOutput = false }: RunEnd,
  log: LogLine[],
): CommandContext {
  const ending = new AbortController()
  const outputEnd = new AppError('unavailable', 'Standard output cannot be written.')
  let reason = outputEnd
  const endAt = (text: string): void => {
    if (at.test(text)) ending.abort(byOutput ? outputEnd : reason)
  }
  const surroundings = { clock: systemClock, log: recordedLog(log), versions: 'test' }
  const settings = readSettings(environment, (file) => readFileSync(file))
  return commandContext(async () => ({ settings, surroundings, runtime: process }), {
    versions: { version: '0', node: '0', sqlite: '0', timeZones: '0' },
    input: () => Readable.from([]),
    stream: async (parts) => {
      for (const part of parts) written.output += part
    },
    print: (text) => {
      written.output += `${text}\n`
      endAt(text)
    },
    warn: (text) => {
      written.errors += `${text}\n`
    },
    progress: createProgress(false, (text) => {
      written.errors += text
    }).show,
    serve: () => Promise.reject(new Error('Only main.ts serves.')),
    interruption: (told) => {
      reason = told
      endAt('')
      return ending.signal
    },
  })
}
