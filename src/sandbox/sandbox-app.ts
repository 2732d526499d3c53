import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
} from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import { onlyTakes } from '../web/only-takes.ts'
import { setPageHeaders } from '../web/pages/page-policy.ts'
import { serveAsset, serveIcon } from '../web/pages/serve-asset.ts'
import { StaticAssets } from '../web/pages/static-assets.ts'
import { sendProblem, sendProblemStatus } from '../web/problem.ts'
import type { SandboxKeys } from './callers.ts'
import { type Behaviour, ownBehaviour } from './controls/behaviour.ts'
import { basePath } from './operations.ts'
import { showDocs } from './pages/docs-page.ts'
import { assetFiles } from './pages/page-assets.ts'
import { allowLoopbackPages } from './reading/cross-origin.ts'
import { readRoutes } from './reading/read-routes.ts'
import type { SandboxDatabase } from './records/sandbox-database.ts'

export interface SandboxAppDeps {
  readonly database: SandboxDatabase
  readonly keys: SandboxKeys
  readonly log: Log
}

/** The sandbox as it is seen over HTTP: every route, on one screen. */
export function createSandboxApp({ database, keys, log }: SandboxAppDeps): Express {
  const reading = {
    queries: database.queries,
    keys,
    behaviour: asItIs,
    misbehave: () => Promise.resolve(),
  }
  const app = express().disable('x-powered-by').set('etag', false).set('query parser', false)
  app.use(basePath, allowLoopbackPages, onlyReading, readRoutes(reading))
  app.use(setPageHeaders)

  // People.
  const assets = new StaticAssets(assetFiles)
  const toRead = ['/', '/docs', '/assets/:version/:name', '/favicon.ico']
  app.get(['/', '/docs'], showDocs(assets))
  app.get('/assets/:version/:name', serveAsset(assets))
  app.get('/favicon.ico', serveIcon(assets))
  app.all(toRead, onlyTakes('GET, HEAD'))
  return app.use(nothingHere, answerErrors(log))
}

const asItIs = (): Behaviour => ownBehaviour

/** RFC 9110 section 15.5.6: a 405 names the methods that are allowed. */
const onlyReading: RequestHandler = ({ method }, response, next) => {
  if (method === 'GET' || method === 'HEAD') return next()
  response.setHeader('Allow', 'GET, HEAD')
  throw new AppError('wrong_method', 'The Read API is only read from: GET or HEAD.')
}

const nothingHere: RequestHandler = ({ path }) => {
  throw new AppError('not_found', `There is nothing at ${path}.`)
}

/** One place for everything that goes wrong: operating errors are answered as RFC 9457 has it, all else is logged and hidden. */
function answerErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, request: Request, response, next) => {
    const known = asAppError(error) ?? asRequestError(error)
    if (!known) log.error({ error, path: request.path }, 'workforce_request_failed')
    if (response.headersSent) return next(error)
    for (const name of ['Content-Encoding', 'ETag', 'Link']) response.removeHeader(name)
    response.setHeader('Cache-Control', 'no-store')
    if (known) sendProblem(response, known)
    else sendProblemStatus(response, 500, 'The Read API failed.')
  }
}

function asRequestError(error: unknown): AppError | undefined {
  if (!(error instanceof URIError)) return undefined
  return new AppError('invalid', 'The path is not percent-encoded UTF-8.')
}
