import { randomUUID } from 'node:crypto'

import express, { type RequestHandler } from 'express'

import { findStaff, hashOfToken } from '../access/api-tokens.ts'
import { answerReady } from '../http/feed-routes.ts'
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

export interface App extends RunningServer {
  readonly services: Services
  close(): Promise<void>
}

/** Starts everything and listens; returns what both the process and the end-to-end tests need. */
export async function startApp(
  settings: Settings,
  surroundings: Surroundings,
  adminToken: string,
): Promise<App> {
  const { clock } = surroundings
  const { host, port, trustProxy } = settings
  const starting = express().disable('x-powered-by').use(answerStarting)
  const listening = await listen(starting, {
    host,
    port,
    what: 'The bridge',
    hint: `PORT=${port === 8191 ? 8192 : 8191} npm start takes another.`,
    ...(trustProxy > 0 ? {} : { addressOf: addressKey }),
  })
  const { url: listensAt } = listening
  const publicUrl = settings.publicUrl ?? listensAt
  const instance = randomUUID()
  try {
    const metrics = new Metrics()
    const log = metrics.counting(surroundings.log)
    const besideSandbox = new SandboxGuest(adminToken)
    const services = await openServices(
      settings,
      { ...surroundings, log, measures: metrics, besideSandbox },
      publicUrl,
    )
    const demoPage = async (): Promise<string | undefined> =>
      (await keptDemo({ publicUrl, services }, settings))?.page
    besideSandbox.open({ ...services, demoPage })
    metrics.measure(services)
    warnOfLooseFiles([...ownFiles(settings), ...operatorsFiles(settings, surroundings.userId)], log)
    warnOfReplaced(settings, log)
    await warnOfFeedsWithoutCompany(services.feeds, services.connections, log)
    const deadline = new PollDeadline(clock, settings.feedRefreshBudgetMs)
    const tokenDeps = { ...services.access, ...surroundings, adminToken }
    const deps = {
      ...services,
      clock,
      deadline,
      limits: {
        polls: new RequestLimit(settings.feedPollsPerMinute, clock),
        unknownTokens: new RequestLimit(settings.unknownTokensPerMinute, clock),
      },
      metrics,
      hashOfToken: (given: string) => hashOfToken(tokenDeps, given),
      findStaff: (tokenHash: Uint8Array) => findStaff(tokenDeps, tokenHash),
      tokenFile: adminTokenFile(settings),
      publicUrl,
      instance,
      demoPage,
      trustProxy,
      log,
    }
    listening.serve(answerReady(deps, createHttpApp(deps)))
    const close = async (): Promise<void> => {
      for (const it of [listening, deadline, services]) await it.close()
    }
    return { listensAt, publicUrl, instance, services, close }
  } catch (error) {
    await listening.close()
    throw error
  }
}

const answerStarting: RequestHandler = (_, response) => {
  response.status(503).set('Retry-After', '5').type('text/plain').send('Starting.\n')
}
