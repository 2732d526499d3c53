import { randomUUID } from 'node:crypto'

import express, { type RequestHandler } from 'express'

import { findStaff } from '../access/api-tokens.ts'
import { answerReady } from '../http/feed-routes.ts'
import type { Limits } from '../http/http-deps.ts'
import { PollDeadline } from '../http/poll-deadline.ts'
import { createHttpApp } from '../http/routes.ts'
import type { Settings } from '../settings/read-settings.ts'
import { listen } from '../web/listen.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import { adminTokenFile, keptDemo, type RunningServer } from './data-directory.ts'
import { Metrics } from './metrics.ts'
import { SandboxGuest } from './sandbox.ts'
import { openServices, type Services } from './services.ts'
import {
  operatorsFiles,
  ownFiles,
  warnOfLooseFiles,
  warnOfFeedsWithoutCompany,
  warnOfReplaced,
} from './start-warnings.ts'
import type { Surroundings } from './world.ts'

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
    const beside = new SandboxGuest(adminToken)
    const world = { ...surroundings, log, besideSandbox: beside }
    const services = await openServices(settings, world, publicUrl)
    const demoPage = demoPageOf(settings, { publicUrl, services })
    beside.open({ ...services, demoPage })
    metrics.measure(services)
    await warnAtStart(settings, { ...surroundings, log }, services)
    const { clock } = surroundings
    const deadline = new PollDeadline(clock, settings.feedRefreshBudgetMs)
    const deps = {
      ...services,
      clock,
      deadline,
      limits: limitsOf(settings, surroundings),
      metrics,
      findStaff: (given: string) =>
        findStaff({ ...services.access, ...surroundings, adminToken }, given),
      tokenFile: adminTokenFile(settings),
      publicUrl,
      instance,
      demoPage,
      trustProxy: settings.trustProxy,
      log,
    }
    listening.serve(answerReady(deps, createHttpApp(deps)))
    return {
      listensAt,
      publicUrl,
      instance,
      services,
      close: () => end(listening, deadline, services),
    }
  } catch (error) {
    await listening.close()
    throw error
  }
}

async function end(...running: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const it of running) await it.close()
}

/** Finds the sample employee's page as it is at the time. */
function demoPageOf(
  settings: Settings,
  app: Pick<App, 'publicUrl' | 'services'>,
): () => Promise<string | undefined> {
  return async () => (await keptDemo(app, settings))?.page
}

async function warnAtStart(
  settings: Settings,
  { log, userId }: Surroundings,
  { feeds, connections }: Services,
): Promise<void> {
  warnOfLooseFiles([...ownFiles(settings), ...operatorsFiles(settings, userId)], log)
  warnOfReplaced(settings, log)
  await warnOfFeedsWithoutCompany(feeds, connections, log)
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
