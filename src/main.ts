import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

import closeWithGrace from 'close-with-grace'

import packageFile from '../package.json' with { type: 'json' }
import { startApp } from './app.ts'
import { runCommandLine } from './cli/command-line.ts'
import type { Versions } from './cli/context.ts'
import { commandContext, type Setup } from './command-context.ts'
import { adminTokenOf, demoFeed, handOverDemo } from './demo.ts'
import { type AppError, asAppError } from './domain/errors.ts'
import { createLog } from './log.ts'
import { findServers, keepRunningServer, sayTaken } from './running-server.ts'
import { readEnvironmentFile } from './settings/environment-file.ts'
import { readSettings } from './settings/read-settings.ts'
import { besideLines, reportReadApis, startFacts, startLines } from './start-report.ts'
import { systemClock } from './system-clock.ts'
import { createTerminal } from './terminal.ts'
import { printable } from './text/plain-text.ts'

const closeAfterMs = 10_000
/** One key that is pressed once may come twice: to the program itself, and by way of npm. */
const sameSignalMs = 1000
const terminal = createTerminal(process.stdout, process.stderr)
const { print, warn, tellWatcher } = terminal

let setup: Setup | undefined

// V8 would take what many requests need for what lasts, and keep it, and all that it refers to, until the next full collection.
setFlagsFromString('--no-allocation-site-pretenuring')
process.title = 'calendar-feed-bridge'
process.exitCode = await main()

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  try {
    const edge = {
      ...terminal,
      versions: versions(),
      input: () => process.stdin,
      serve: (json: boolean) => serve(setUp(), json),
      untilEnd,
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

/** Read by whatever needs them: help is there for those whose settings are wrong. */
function setUp(): Setup {
  return (setup ??= readSetup())
}

function readSetup(): Setup {
  const inFile = readEnvironmentFile(readText)
  // Libraries of others read theirs there, too.
  Object.assign(process.env, { ...inFile, ...process.env })
  const settings = readSettings(process.env, readText, Object.keys(inFile))
  const { version, timeZones } = versions()
  const { cldr, unicode }: NodeJS.Dict<string> = process.versions
  const all = [version, timeZones, cldr, unicode].join(' ')
  const log = createLog(settings.logLevel)
  const userId = process.geteuid?.()
  return { settings, surroundings: { clock: systemClock, log, versions: all, userId } }
}

function versions(): Versions {
  const { node, sqlite = '', tz = '' } = process.versions
  return { version: packageFile.version, node, sqlite, timeZones: tz }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function untilEnd(close: () => Promise<void>): void {
  closeWithGrace({ delay: closeAfterMs, logger: false }, close)
}

/** A second signal ends the process at once. */
function interruption(reason: AppError): AbortSignal {
  const ending = new AbortController()
  let endedAt = 0
  const end = (): void => {
    if (ending.signal.aborted && performance.now() - endedAt > sameSignalMs) process.exit(1)
    if (ending.signal.aborted) return
    endedAt = performance.now()
    ending.abort(reason)
    warn('Ends after what is under way; once more ends it at once.')
  }
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, end)
  return AbortSignal.any([ending.signal, terminal.outputEnd])
}

async function serve({ settings, surroundings }: Setup, json: boolean): Promise<void> {
  const { log } = surroundings
  const beside = await findServers(settings.dataDirectory)
  const app = await startApp(settings, surroundings, adminTokenOf(settings)).catch((error) => {
    throw sayTaken(error, beside, settings.port)
  })
  for (const line of besideLines(beside)) warn(printable(line))
  const { listensAt, publicUrl, instance } = app
  const server = { listensAt, publicUrl, instance }
  const forget = keepRunningServer(settings.dataDirectory, server, log, beside)
  const endAndFail = async (error: unknown): Promise<never> => {
    forget()
    await app.close()
    throw error
  }
  if (!json) reportReadApis(app, (line) => print(printable(line)))
  app.services.start()
  closeWithGrace({ delay: closeAfterMs, logger: false }, async ({ err }) => {
    if (err) log.error({ error: err }, 'crashed')
    const next = forget()
    if (next) handOverDemo(settings, server, next)
    await app.close()
    if (!err) tellWatcher('Ended.')
  })
  const demo =
    settings.companies === null ? await demoFeed(app, settings).catch(endAndFail) : undefined
  if (json) print(JSON.stringify({ url: publicUrl, listensAt, ...demo }))
  else print(startLines(app, { demo, ...startFacts(settings, app) }).join('\n'))
}
