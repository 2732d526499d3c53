import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import helmet from 'helmet'

import { AppError, asAppError } from '../domain/errors.ts'
import type { Log } from '../domain/ports.ts'
import type { FeedManager } from '../feeds/feed-manager.ts'
import { sendProblem } from '../web/problem.ts'
import { createFeed, updateFeed } from './api-routes.ts'
import { requireAdmin } from './authentication.ts'
import { type ExaminationDeps, showExamination } from './examination-route.ts'
import {
  type FeedRoutesDeps,
  refuseMethod,
  sendFeedError,
  serveCalendar,
  serveEvents,
  unknownCalendar,
} from './feed-routes.ts'
import { refusePageMethod, sendErrorPage, wantsPage } from './pages/error-page.ts'
import { changeFeedPage, showFeedPage } from './pages/feed-page.ts'
import { pagePolicy } from './pages/page-policy.ts'
import type { PageDeps } from './pages/page-renderer.ts'
import { serveAsset, StaticAssets } from './pages/static-assets.ts'

const urlLengthMax = 2048
const jsonBytesMax = 1024 * 1024
const formBytesMax = 4096

export interface HttpDeps extends FeedRoutesDeps, ExaminationDeps {
  readonly manager: FeedManager
  readonly adminToken: string
  readonly publicUrl: string
  readonly trustProxy: number
  readonly isReady: () => Promise<boolean>
  readonly log: Log
}

/** The whole program as it is seen over HTTP: every route, on one screen. */
export function createHttpApp(deps: HttpDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('trust proxy', deps.trustProxy)
  app.use(limitUrl)

  // Calendar clients: before all middleware, which would cost more than the answer.
  app.get('/feeds/:token/:name.ics', serveCalendar(deps))
  app.get('/feeds/:token/:name.json', serveEvents(deps))
  app.all(['/feeds/:token/:name.ics', '/feeds/:token/:name.json'], refuseMethod)

  // Operators.
  app.get('/healthz', (_, response) => void response.type('text/plain').send('ok\n'))
  app.get('/readyz', readiness(deps))
  app.get(
    '/robots.txt',
    (_, response) => void response.type('text/plain').send('User-agent: *\nDisallow:\n'),
  )

  // People.
  const pages = { ...deps, assets: new StaticAssets(), activity: { listActivity: noActivity } }
  app.use(helmet(pagePolicy))
  app.get('/assets/:version/:name', serveAsset(pages.assets))
  app.get('/feeds/:token', showFeedPage(pages))
  app.post(
    '/feeds/:token',
    express.urlencoded({ extended: false, limit: formBytesMax }),
    changeFeedPage(pages),
  )
  app.all('/feeds/:token', refusePageMethod(pages))

  // Programs with the admin token.
  app.use(
    '/api',
    requireAdmin(deps),
    express.json({ limit: jsonBytesMax, type: ['json', 'application/merge-patch+json'] }),
  )
  app.post('/api/feeds', createFeed(deps))
  app.patch('/api/feeds/:id', updateFeed(deps))
  app.get('/api/companies/:id/examination', showExamination(deps))

  app.use(() => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })
  app.use(handleError(pages))
  return app
}

/** Until the store keeps activity. */
const noActivity = (): Promise<readonly []> => Promise.resolve([])

const limitUrl: RequestHandler = (request, _response, next) => {
  if (request.url.length <= urlLengthMax) return next()
  throw new AppError('not_found', 'There is nothing at this address.')
}

function readiness({ isReady }: HttpDeps): RequestHandler {
  return async (_, response) => {
    const ready = await isReady()
    response
      .status(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'not ready\n')
  }
}

/** One place for everything that goes wrong: operating errors are answered, all else is logged and hidden. */
function handleError(deps: HttpDeps & PageDeps): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const known = asAppError(error) ?? asBodyError(error)
    if (!known)
      deps.log.error({ method: request.method, route: routeOf(request.path), error }, 'request_failed')
    if (response.headersSent) return next(error)
    if (wantsPage(request)) {
      const told = error instanceof URIError ? unknownCalendar() : known
      return sendErrorPage(deps, request, response, told)
    }
    if (request.path.startsWith('/feeds/')) {
      return sendFeedError(response, error instanceof URIError ? unknownCalendar() : error)
    }
    sendProblem(response, known ?? new AppError('unavailable', 'Something went wrong here.'))
  }
}

/** What Express's body parser finds wrong, in our words. */
function asBodyError(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !('type' in error)) return undefined
  if (error.type === 'entity.too.large')
    return new AppError('too_large', 'The body is larger than 1 MiB.')
  if (error.type === 'entity.parse.failed')
    return new AppError('invalid', 'The body is not valid JSON.')
  return undefined
}

/** The address without what could be a secret. */
function routeOf(path: string): string {
  return path.replace(/^\/feeds\/[^/]*/, '/feeds/…')
}
