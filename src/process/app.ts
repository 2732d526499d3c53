import { randomUUID } from 'node:crypto'

import express, { type RequestHandler } from 'express'

import { findStaff, hashOfToken } from '../access/api-tokens.ts'
import { answerPollsReady } from '../dav/ready-polls.ts'
import { answerReady, davDeps } from '../http/feed-routes.ts'
import { createHttpApp } from '../http/routes.ts'
import { PollDeadline } from '../publishing/poll-deadline.ts'
import type { Settings } from '../settings/read-settings.ts'
import { httpUrl, type HttpServer, listen } from '../web/listen.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import { adminTokenFile, keptDemo, type RunningServer } from './data-directory.ts'
import { Metrics } from './metrics.ts'
import { connectionsWithin } from './open-files.ts'
import { SandboxGuest } from './sandbox.ts'
import { openServices, type Services } from './services.ts'
import {
  operatorsFiles,
  ownFiles,
  warnOfLooseFiles,
  warnOfFeedsWithoutCompany,
  warnOfReplaced,
} from './start-warnings.ts'
import type { ThisWorker } from './worker.ts'
import type { Surroundings } from './world.ts'

/** Some CalDAV clients fetch events one by one. */
const requestsPerSync = 100

export interface App extends RunningServer {
  readonly services: Services
  /** Closes the server as `HttpServer.close` says, then everything else. */
  close(patience?: Parameters<HttpServer['close']>[0]): Promise<void>
}

/**
 * Starts everything and listens; returns what both the process and the end-to-end tests need. `worker` is given if this is
 * one of several processes behind one port.
 */
export async function startApp(
  settings: Settings,
  surroundings: Surroundings,
  adminToken: string,
  worker?: ThisWorker,
): Promise<App> {
  const { clock } = surroundings
  const { host, trustProxy } = settings
  const alone = { port: settings.port, instance: randomUUID(), joinsOthers: false }
  const { port, instance, joinsOthers } = worker?.part ?? alone
  const place = {
    host,
    port,
    what: 'The bridge',
    hint: `PORT=${port === 8191 ? 8192 : 8191} npm start takes another.`,
    ...(trustProxy > 0 ? {} : { addressOf: addressKey }),
    connectionsMax: connectionsWithin(),
  }
  const starting = express().disable('x-powered-by').use(answerStarting)
  const early = joinsOthers ? undefined : await listen(starting, place)
  const listensAt = early?.url ?? httpUrl(host, port)
  const publicUrl = settings.publicUrl ?? listensAt
  try {
    const metrics = new Metrics(worker && (() => worker.metricsOfAll()))
    worker?.tellMetrics(metrics)
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
        accounts: new RequestLimit(settings.feedPollsPerMinute * requestsPerSync, clock),
        unknownTokens: new RequestLimit(settings.unknownTokensPerMinute, clock),
      },
      metrics,
      hashOfToken: (given: string) => hashOfToken(tokenDeps, given),
      findStaff: (tokenHash: Uint8Array) => findStaff(tokenDeps, tokenHash),
      tokenFile: adminTokenFile(settings),
      publicUrl,
      instance,
      siblings: worker ?? null,
      demoPage,
      trustProxy,
      allowInsecure: settings.allowInsecure,
      log,
    }
    const routes = answerPollsReady(davDeps(deps), createHttpApp(deps))
    const app = answerReady(deps, routes)
    early?.serve(app)
    const listening = early ?? (await listen(app, place))
    const close: App['close'] = async (patience) => {
      await listening.close(patience)
      for (const it of [deadline, services]) await it.close()
    }
    return { listensAt, publicUrl, instance, services, close }
  } catch (error) {
    await early?.close()
    throw error
  }
}

const answerStarting: RequestHandler = (_, response) => {
  response.status(503).set('Retry-After', '5').type('text/plain').send('Starting.\n')
}
