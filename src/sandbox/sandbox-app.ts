import express, { type Express, type RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { SandboxKeys } from '../settings/sandbox-keys.ts'
import { serveAsset, serveIcon, StaticAssets } from '../web/pages/static-assets.ts'
import { setPageHeaders } from '../web/pages/templates.ts'
import { onlyTakes } from '../web/problem.ts'
import { RequestLimit } from '../web/request-limit.ts'
import { answerErrors, challenge } from './answer-errors.ts'
import type { Controls } from './controls/controls.ts'
import { serveFileSchema, serveOpenApi } from './openapi/serve-openapi.ts'
import { basePath } from './operations.ts'
import { showDocs } from './pages/docs-page.ts'
import { assetFiles } from './pages/page-assets.ts'
import { showSandbox } from './pages/sandbox-page.ts'
import { allowLoopbackPages } from './reading/cross-origin.ts'
import { readRoutes } from './reading/read-routes.ts'
import type { SandboxDatabase } from './records/sandbox-database.ts'

export interface SandboxAppDeps {
  readonly database: SandboxDatabase
  readonly keys: SandboxKeys
  readonly controls: Controls
  readonly clock: Clock
  readonly log: Log
}

const failuresPerMinute = 60

/** The sandbox as it is seen over HTTP: every route, on one screen. */
export function createSandboxApp({
  database,
  keys,
  controls,
  clock,
  log,
}: SandboxAppDeps): Express {
  const { imitation, requests } = controls
  const reading = {
    queries: database.queries,
    keys,
    imitation,
    requests,
    failures: new RequestLimit(failuresPerMinute, clock),
  }
  const app = express().disable('x-powered-by').set('etag', false).set('query parser', false)
  app.use(basePath, allowLoopbackPages, requests.keep, onlyReading, readRoutes(reading))
  app.use(basePath, challenge(controls))
  app.use(setPageHeaders)

  // People.
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const documented = { asksForKeys: keys.size > 0, today }
  const assets = new StaticAssets(assetFiles)
  const toRead = [
    '/',
    '/docs',
    '/openapi.json',
    '/schema.json',
    '/sandbox',
    '/assets/:version/:name',
    '/favicon.ico',
  ]
  app.get(['/', '/docs'], showDocs({ ...documented, assets }))
  app.get('/openapi.json', serveOpenApi(documented))
  app.get('/schema.json', serveFileSchema())
  app.get('/sandbox', showSandbox({ assets, keys, controls }))
  app.get('/assets/:version/:name', serveAsset(assets))
  app.get('/favicon.ico', serveIcon(assets))
  app.all(toRead, onlyTakes('GET, HEAD'))

  // Who changes what it answers.
  app.use('/sandbox', controls.routes)
  return app.use(nothingHere, answerErrors(log))
}

/** RFC 9110 section 15.5.6: a 405 names the methods that are allowed. */
const onlyReading: RequestHandler = ({ method }, response, next) => {
  if (method === 'GET' || method === 'HEAD') return next()
  response.setHeader('Allow', 'GET, HEAD')
  throw new AppError('wrong_method', 'The Read API is only read from: GET or HEAD.')
}

const nothingHere: RequestHandler = ({ path }) => {
  throw new AppError('not_found', `There is nothing at ${path}.`)
}
