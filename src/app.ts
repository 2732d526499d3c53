import { randomUUID } from 'node:crypto'

import express, { type RequestHandler } from 'express'

import { adminTokenFile, keptDemo } from './demo.ts'
import type { Limits } from './http/http-deps.ts'
import { answerReady } from './http/ready-route.ts'
import { createHttpApp } from './http/routes.ts'
import { operatorsFiles, ownFiles, warnOfLooseFiles } from './loose-files.ts'
import { Metrics } from './metrics.ts'
import type { RunningServer } from './running-server.ts'
import { openServices, type Services, type Surroundings } from './services.ts'
import type { Settings } from './settings/read-settings.ts'
import { warnOfFeedsWithoutCompany, warnOfReplaced } from './start-warnings.ts'
import { listen } from './web/listen.ts'
import { addressKey, RequestLimit } from './web/request-limit.ts'

/** The running bridge. */
export interface App extends RunningServer {
  readonly services: Services
  close(): Promise<void>
}

/** Starts everything, listens, and gives what the process and the end-to-end tests alike need. */
export async function startApp(
  settings: Settings,
  surroundings: Surroundings,
  adminToken: string,
): Promise<App> {
  const starting = express().disable('x-powered-by').use(answerStarting)
  const listening = await listen(starting, {
    host: settings.host,
    port: settings.port,
    what: 'The bridge',
    hint: 'PORT=8191 npm start takes another.',
    ...(settings.trustProxy > 0 ? {} : { addressOf: addressKey }),
  })
  const { url: listensAt } = listening
  const publicUrl = settings.publicUrl ?? listensAt
  const instance = randomUUID()
  try {
    const metrics = new Metrics()
    const log = metrics.counting(surroundings.log)
    const services = await openServices(settings, { ...surroundings, log }, publicUrl)
    metrics.measure(services)
    const files = [...ownFiles(settings), ...operatorsFiles(settings, surroundings.userId)]
    warnOfLooseFiles(files, log)
    warnOfReplaced(settings, log)
    await warnOfFeedsWithoutCompany(services.feeds, services.connections, log)
    const deps = {
      ...services,
      clock: surroundings.clock,
      limits: limitsOf(settings, surroundings),
      metrics,
      adminToken,
      tokenFile: adminTokenFile(settings),
      publicUrl,
      instance,
      demoPage: async () => (await keptDemo({ publicUrl, services }, settings))?.page,
      trustProxy: settings.trustProxy,
      log,
    }
    listening.serve(answerReady(deps, createHttpApp(deps)))
    const close = async (): Promise<void> => {
      await listening.close()
      await services.close()
    }
    return { listensAt, publicUrl, instance, services, close }
  } catch (error) {
    await listening.close()
    throw error
  }
}

function limitsOf(settings: Settings, { clock }: Surroundings): Limits {
  return {
    polls: new RequestLimit(settings.feedPollsPerMinute, clock),
    unknownTokens: new RequestLimit(settings.unknownTokensPerMinute, clock),
  }
}

const answerStarting: RequestHandler = (_, response) => {
  response.status(503).set('Retry-After', '5').type('text/plain').send('Starting.\n')
}
