import { readFileSync } from 'node:fs'

import closeWithGrace from 'close-with-grace'

import packageFile from '../package.json' with { type: 'json' }
import { startApp } from './app.ts'
import { runCommandLine } from './cli/command-line.ts'
import { createProgress } from './cli/progress.ts'
import { commandContext } from './command-context.ts'
import { adminTokenOf, demoFeed } from './demo.ts'
import { asAppError } from './domain/errors.ts'
import { createLog } from './log.ts'
import type { Surroundings } from './services.ts'
import { readSettings, type Settings } from './settings/read-settings.ts'
import { systemClock } from './system-clock.ts'

const closeAfterMs = 10_000
const progress = createProgress({
  isTerminal: process.stderr.isTTY,
  write: (text) => void process.stderr.write(text),
})

process.title = 'calendar-feed-bridge'
loadEnvironmentFile()
process.exitCode = await main()

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  try {
    const settings = readSettings(process.env, readText)
    const edge = {
      print,
      warn,
      progress,
      serve: (json: boolean) => serve(settings, json),
      untilEnd,
    }
    return await runCommandLine(words, commandContext(settings, surroundings(settings), edge))
  } catch (error) {
    warn(asAppError(error)?.message ?? String(error instanceof Error ? error.stack : error))
    return 1
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function print(text: string): void {
  console.log(text)
}

function warn(text: string): void {
  console.error(text)
}

function untilEnd(close: () => Promise<void>): void {
  closeWithGrace({ delay: closeAfterMs, logger: false }, close)
}

async function serve(settings: Settings, json: boolean): Promise<void> {
  const around = surroundings(settings)
  const app = await startApp(settings, around, adminTokenOf(settings))
  app.services.start()
  closeWithGrace({ delay: closeAfterMs, logger: false }, async ({ err }) => {
    if (err) around.log.error({ error: err }, 'crashed')
    await app.close()
  })
  const demo = settings.companies === null ? await demoFeed(app, settings) : undefined
  if (json) return print(JSON.stringify({ url: app.url, ...demo }))
  print(`The bridge runs at ${app.url}`)
  if (!demo) return
  print('\nSubscribe to this address in a calendar program:')
  print(demo.calendar)
  print('\nIts page, with a preview and every way to subscribe:')
  print(demo.page)
}

function surroundings({ logLevel }: Settings): Surroundings {
  const { tz, cldr, unicode } = process.versions as NodeJS.Dict<string>
  const versions = [packageFile.version, tz, cldr, unicode].join(' ')
  return { clock: systemClock, log: createLog(logLevel), versions }
}

/** Settings in `.env` of the working directory hold where the environment has none. */
function loadEnvironmentFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
