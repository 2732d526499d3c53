import closeWithGrace from 'close-with-grace'

import packageFile from '../package.json' with { type: 'json' }
import { startApp } from './app.ts'
import { runCommandLine } from './cli/command-line.ts'
import type { CommandContext } from './cli/context.ts'
import { readConfig, type Config } from './config.ts'
import { adminTokenOf, demoFeed } from './demo.ts'
import { asAppError } from './domain/errors.ts'
import { createLog } from './log.ts'
import { openServices, type Surroundings } from './services.ts'
import { systemClock } from './system-clock.ts'

const closeAfterMs = 10_000

process.title = 'calendar-feed-bridge'
loadEnvironmentFile()
process.exitCode = await main()

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  try {
    return await runCommandLine(words, commandContext(readConfig(process.env)))
  } catch (error) {
    warn(asAppError(error)?.message ?? String(error instanceof Error ? error.stack : error))
    return 1
  }
}

function commandContext(config: Config): CommandContext {
  return {
    print,
    warn,
    serve: () => serve(config),
    withUseCases: async (work) => {
      const around = surroundings(config)
      const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
      const services = await openServices(config, around, publicUrl)
      const { snapshots, store, prover, manager, examiner, connections } = services
      const exporting = {
        snapshots,
        copies: store.snapshots,
        prover,
        clock: around.clock,
        staleMs: config.feedStaleMs,
      }
      try {
        await work({ manager, examiner, connections, exporting })
      } finally {
        await services.close()
      }
    },
  }
}

function print(text: string): void {
  console.log(text)
}

function warn(text: string): void {
  console.error(text)
}

async function serve(config: Config): Promise<void> {
  const around = surroundings(config)
  const app = await startApp(config, around, adminTokenOf(config))
  app.services.examiner.start()
  closeWithGrace({ delay: closeAfterMs, logger: false }, async ({ err }) => {
    if (err) around.log.error({ error: err }, 'crashed')
    await app.close()
  })
  const demo = config.companies === null ? await demoFeed(app, config) : undefined
  print(`The bridge runs at ${app.url}`)
  if (!demo) return
  print('\nSubscribe to this address in a calendar program:')
  print(demo.calendar)
  print('\nIts page, with a preview and every way to subscribe:')
  print(demo.page)
}

function surroundings({ logLevel }: Config): Surroundings {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = process.env
  const proxy = { httpsProxy: HTTPS_PROXY, httpProxy: HTTP_PROXY, noProxy: NO_PROXY }
  const versions = `${packageFile.version} ${process.versions['tz']} ${process.versions['unicode']}`
  return { clock: systemClock, log: createLog(logLevel), proxy, versions }
}

/** Settings in `.env` of the working directory hold where the environment has none. */
function loadEnvironmentFile(): void {
  try {
    process.loadEnvFile()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
