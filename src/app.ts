import express, { type RequestHandler } from 'express'

import { readCsv } from './feeds/read-csv.ts'
import { type Limits, RequestLimit } from './http/limits.ts'
import { createHttpApp } from './http/routes.ts'
import { Metrics } from './metrics.ts'
import { openServices, type Services, type Surroundings } from './services.ts'
import type { Config } from './settings/read-settings.ts'
import { listen } from './web/listen.ts'

/** The running bridge. */
export interface App {
  readonly url: string
  readonly services: Services
  close(): Promise<void>
}

/** Starts everything, listens, and gives what the process and the end-to-end tests alike need. */
export async function startApp(
  config: Config,
  surroundings: Surroundings,
  adminToken: string,
): Promise<App> {
  const outer = express().disable('x-powered-by')
  let handle: RequestHandler = answerStarting
  outer.use((request, response, next) => handle(request, response, next))
  const listening = await listen(outer, {
    host: config.host,
    port: config.port,
    what: 'The bridge',
  })
  const url = config.publicUrl ?? listening.url
  try {
    const metrics = new Metrics()
    const log = metrics.counting(surroundings.log)
    const services = await openServices(config, { ...surroundings, log }, url)
    handle = createHttpApp({
      publisher: services.publisher,
      links: services.links,
      feeds: services.store.feeds,
      administration: services.administration,
      readCsv,
      clock: surroundings.clock,
      examiner: services.examiner,
      activity: services.store.activity,
      recorder: services.recorder,
      limits: limitsOf(config, surroundings),
      metrics,
      adminToken,
      publicUrl: url,
      trustProxy: config.trustProxy,
      isReady: () => services.store.isReady(),
      log,
    })
    const close = async (): Promise<void> => {
      await listening.close()
      await services.close()
    }
    return { url, services, close }
  } catch (error) {
    await listening.close()
    throw error
  }
}

function limitsOf(config: Config, { clock }: Surroundings): Limits {
  return {
    polls: new RequestLimit(config.feedPollsPerMinute, clock),
    unknownTokens: new RequestLimit(config.unknownTokensPerMinute, clock),
  }
}

const answerStarting: RequestHandler = (_, response) => {
  response.status(503).set('Retry-After', '5').type('text/plain').send('Starting.\n')
}
