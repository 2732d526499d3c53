import { readFileSync } from 'node:fs'

import packageFile from '../package.json' with { type: 'json' }
import { runCommandLine } from './cli/command-line.ts'
import type { Versions } from './cli/context.ts'
import { type AppError, asAppError } from './domain/errors.ts'
import { commandContext } from './process/command-context.ts'
import { onSignals } from './process/ending.ts'
import { createTerminal } from './process/terminal.ts'
import type { Setup } from './process/world.ts'

const terminal = createTerminal(process.stdout, process.stderr)
const { warn } = terminal

let setup: Promise<Setup> | undefined

process.title = 'calendar-feed-bridge'
process.exitCode = await main()

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  try {
    const edge = {
      ...terminal,
      versions: versions(),
      input: () => process.stdin,
      serve: async (json: boolean) => {
        const settingUp = await setUp()
        const { serve } = await import('./process/serve.ts')
        await serve(settingUp, json, terminal)
      },
      interruption,
    }
    const code = await runCommandLine(words, commandContext(setUp, edge))
    const fault = await terminal.flush()
    if (code !== 0 || fault === undefined) return code
    throw fault
  } catch (error) {
    warn(asAppError(error)?.message ?? String(error instanceof Error ? error.stack : error))
    return 1
  }
}

/** Only commands that need the settings read them: help works although they are wrong. */
function setUp(): Promise<Setup> {
  return (setup ??= readSetup())
}

async function readSetup(): Promise<Setup> {
  const { readEnvironmentFile } = await import('./settings/environment.ts')
  const { readSettings } = await import('./settings/read-settings.ts')
  const { createLog, systemClock } = await import('./process/world.ts')
  const inFile = readEnvironmentFile(readFile)
  // Libraries read theirs there, too.
  Object.assign(process.env, { ...inFile, ...process.env })
  const settings = readSettings(process.env, readFile, Object.keys(inFile))
  const { version, timeZones } = versions()
  const { cldr, unicode }: NodeJS.Dict<string> = process.versions
  const surroundings = {
    clock: systemClock,
    log: createLog(settings.logLevel),
    versions: [version, timeZones, cldr, unicode].join(' '),
    userId: process.geteuid?.(),
  }
  return { settings, surroundings, runtime: process }
}

function versions(): Versions {
  const { node, sqlite = '', tz = '' } = process.versions
  return { version: packageFile.version, node, sqlite, timeZones: tz }
}

function readFile(file: string): Uint8Array {
  return readFileSync(file)
}

/** A second signal ends the process at once. */
function interruption(reason: AppError): AbortSignal {
  const ending = new AbortController()
  onSignals(process, ['SIGINT', 'SIGTERM'], () => {
    ending.abort(reason)
    warn('Ends after what is under way; once more ends it at once.')
  })
  return AbortSignal.any([ending.signal, terminal.outputEnd])
}
