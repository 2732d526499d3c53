import express, {
  type Express,
  type RequestHandler,
  type ErrorRequestHandler,
  type Request,
  type Response,
} from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { SandboxKeys } from '../settings/fields.ts'
import { StaticAssets } from '../web/lasting-answer.ts'
import { isFromHere, isLoopback } from '../web/loopback.ts'
import { setPageHeaders } from '../web/pages/templates.ts'
import { onlyTakes, sendProblem, sendProblemStatus } from '../web/problem.ts'
import { RequestLimit } from '../web/request-limit.ts'
import { challengeOf } from './callers.ts'
import type { Controls } from './controls/controls.ts'
import { ImitatedFault, type Imitation } from './controls/imitation.ts'
import { serveFileSchema, serveOpenApi } from './openapi/document.ts'
import { basePath } from './operations.ts'
import { showDocs } from './pages/docs-page.ts'
import { assetFiles } from './pages/page-renderer.ts'
import { showSandbox } from './pages/sandbox-page.ts'
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

export function createSandboxApp(deps: SandboxAppDeps): Express {
  const { database, keys, controls, clock, log } = deps
  const { imitation, requests } = controls
  const failures = new RequestLimit(failuresPerMinute, clock)
  const reading = { queries: database.queries, keys, imitation, requests, failures }
  const app = express().disable('x-powered-by').set('etag', false).set('query parser', false)
  app.use(basePath, allowLoopbackPages, requests.keep, onlyReading, readRoutes(reading))
  app.use(basePath, challenge(imitation))
  app.use(setPageHeaders)

  // Pages and documents.
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
  app.get('/sandbox', showSandbox(assets, keys, controls))
  app.get('/assets/:version/:name', assets.serve)
  app.get('/favicon.ico', assets.serveIcon)
  app.all(toRead, onlyTakes('GET, HEAD'))

  // Controls that change the responses.
  app.use('/sandbox', controls.routes)
  return app.use(nothingHere, answerErrors(log))
}

/** RFC 9110 section 15.5.6: a 405 lists the allowed methods. */
const onlyReading: RequestHandler = ({ method }, response, next) => {
  if (method === 'GET' || method === 'HEAD') return next()
  response.setHeader('Allow', 'GET, HEAD')
  throw new AppError('wrong_method', 'The Read API is only read from: GET or HEAD.')
}

const nothingHere: RequestHandler = ({ path }) => {
  throw new AppError('not_found', `There is nothing at ${path}.`)
}

/** Adds the required authentication scheme to a 401 (RFC 9110 section 15.5.2). */
function challenge(imitation: Imitation): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const isImitated = error instanceof ImitatedFault && error.fault.status === 401
    if (isImitated || asAppError(error)?.code === 'unauthorized') {
      response.setHeader('WWW-Authenticate', challengeOf(imitation.behaviour))
    }
    next(error)
  }
}

/** Handles all errors: expected ones become problem documents (RFC 9457), all others are logged and hidden. */
function answerErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, request: Request, response, _next) => {
    const isImitated = error instanceof ImitatedFault
    const known = asAppError(error) ?? asRequestError(error)
    if (!known && !isImitated) log.error({ error, path: request.path }, 'workforce_request_failed')
    // A response that has begun is cut off, which every client notices.
    if (response.headersSent) {
      response.destroy()
      return
    }
    for (const name of ['Content-Encoding', 'ETag', 'Link']) response.removeHeader(name)
    response.setHeader('Cache-Control', 'no-store')
    if (isImitated) sendImitated(response, error)
    else if (known) sendProblem(response, known)
    else sendProblemStatus(response, 500, 'The Read API failed.')
  }
}

/** `Retry-After` is in seconds (RFC 9110 section 10.2.3). */
function sendImitated(response: Response, { fault, message }: ImitatedFault): void {
  const { status, retryAfter } = fault
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter))
  sendProblemStatus(response, status, message)
}

function asRequestError(error: unknown): AppError | undefined {
  if (!(error instanceof URIError)) return undefined
  return new AppError('invalid', 'The path is not percent-encoded UTF-8.')
}

/**
 * Lets pages that this machine serves (a developer's own) read from here by CORS, and no other pages. Also handles the
 * preflight that browsers send before a request with a credential.
 */
const allowLoopbackPages: RequestHandler = (request, response, next) => {
  const { origin } = request.headers
  response.vary('Origin')
  if (origin === undefined || !isAllowed(origin) || !isFromHere(request)) return next()
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', 'ETag, Link, Retry-After')
  if (
    request.headers['access-control-request-method'] === undefined ||
    request.method !== 'OPTIONS'
  ) {
    return next()
  }
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD')
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, If-None-Match, Accept')
  response.setHeader('Access-Control-Max-Age', '600')
  response.status(204).end()
}

function isAllowed(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(origin)
}
