import { setFlagsFromString } from 'node:v8'

import { printable } from '../text/plain-text.ts'
import { startApp } from './app.ts'
import type { Setup } from './command-context.ts'
import { adminTokenOf, demoFeed, handOverDemo } from './demo.ts'
import { findServers, keepRunningServer, sayTaken } from './running-server.ts'
import { besideLines, reportReadApis, startFacts, startLines } from './start-report.ts'
import type { Terminal } from './terminal.ts'
import { untilEnd } from './until-end.ts'

/** Runs the bridge until the process is told to end. */
export async function serve(
  { settings, surroundings }: Setup,
  json: boolean,
  { print, warn, tellWatcher }: Pick<Terminal, 'print' | 'warn' | 'tellWatcher'>,
): Promise<void> {
  // V8 would take what many requests need for what lasts, and keep it, and all that it refers to, until the next full
  // collection. Set before all is loaded, it would have what Node has compiled thrown away.
  setFlagsFromString('--no-allocation-site-pretenuring')
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
  untilEnd(async (error) => {
    if (error) log.error({ error }, 'crashed')
    const next = forget()
    if (next) handOverDemo(settings, server, next)
    await app.close()
    if (!error) tellWatcher('Ended.')
  })
  const demo =
    settings.companies === null ? await demoFeed(app, settings).catch(endAndFail) : undefined
  if (json) print(JSON.stringify({ url: publicUrl, listensAt, ...demo }))
  else print(startLines(app, { demo, ...startFacts(settings, app) }).join('\n'))
}
