import { setTimeout } from 'node:timers/promises'

import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
} from 'express'
import helmet from 'helmet'

import type { ActivityStore } from '../domain/activity.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { FeedStore } from '../domain/feed.ts'
import type { Clock, Log } from '../domain/world.ts'
import { sendProblem } from '../web/problem.ts'
import { type ExaminationDeps, showExamination } from './api/examination.ts'
import {
  createFeeds,
  type FeedApiDeps,
  listFeeds,
  revokeFeed,
  showFeed,
  updateFeed,
} from './api/feeds.ts'
import { createLink, endLink, rotateLink } from './api/links.ts'
import { serveOpenApi } from './api/openapi.ts'
import { requireAdmin } from './authentication.ts'
import {
  type FeedRoutesDeps,
  refuseMethod,
  sendFeedError,
  serveCalendar,
  serveEvents,
  unknownCalendar,
} from './feed-routes.ts'
import { addressKey } from './limits.ts'
import { type AnswerMetrics, countAnswers, guardMetrics, showMetrics } from './metrics-route.ts'
import { showDocs } from './pages/docs-page.ts'
import { refusePageMethod, sendErrorPage, wantsPage } from './pages/error-page.ts'
import { changeFeedPage, showFeedPage } from './pages/feed-page.ts'
import { pagePolicy } from './pages/page-policy.ts'
import type { PageDeps } from './pages/page-renderer.ts'
import { serveAsset, StaticAssets } from './pages/static-assets.ts'

const urlLengthMax = 2048
const bodyBytesMax = 4 * 1024 * 1024
const readJson = express.json({
  limit: bodyBytesMax,
  type: ['json', 'application/merge-patch+json'],
})
const readTable = express.raw({ limit: bodyBytesMax, type: 'text/csv' })
const formBytesMax = 4096
const readyWithinMs = 2000

export interface HttpDeps extends FeedRoutesDeps, FeedApiDeps, ExaminationDeps {
  readonly metrics: AnswerMetrics
  readonly feeds: Pick<FeedStore, 'changeFeed'>
  readonly activity: Pick<ActivityStore, 'listActivity'>
  readonly adminToken: string
  readonly publicUrl: string
  readonly trustProxy: number
  readonly clock: Clock
  readonly isReady: () => Promise<boolean>
  readonly log: Log
}

/** The whole program as it is seen over HTTP: every route, on one screen. */
export function createHttpApp(deps: HttpDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('etag', false)
  app.set('trust proxy', deps.trustProxy)
  app.use(limitUrl)

  // Calendar clients: before all middleware, which would cost more than the answer.
  app.get('/feeds/:token/:name.ics', serveCalendar(deps))
  app.get('/feeds/:token/:name.json', serveEvents(deps))
  app.all(['/feeds/:token/:name.ics', '/feeds/:token/:name.json'], refuseMethod)

  app.use(countAnswers(deps.metrics))

  // Operators.
  app.get('/healthz', (_, response) => void response.type('text/plain').send('ok\n'))
  app.get('/readyz', readiness(deps))
  app.get('/metrics', guardMetrics(deps), showMetrics(deps.metrics))
  app.get(
    '/robots.txt',
    (_, response) => void response.type('text/plain').send('User-agent: *\nDisallow:\n'),
  )

  // People.
  const pages = { ...deps, assets: new StaticAssets() }
  app.use(helmet(pagePolicy))
  app.get('/assets/:version/:name', serveAsset(pages.assets))
  app.get('/feeds/:token{/}', showFeedPage(pages))
  app.post(
    '/feeds/:token{/}',
    express.urlencoded({ extended: false, limit: formBytesMax }),
    changeFeedPage(pages),
  )
  app.all('/feeds/:token{/}', refusePageMethod(pages))

  // Programs with the admin token.
  app.get('/openapi.json', serveOpenApi(deps))
  app.get('/docs', showDocs(pages))
  app.use('/api', requireAdmin(deps), keepNothing, readJson, readTable)
  app.post('/api/feeds', createFeeds(deps))
  app.get('/api/feeds', listFeeds(deps))
  app.get('/api/feeds/:id', showFeed(deps))
  app.patch('/api/feeds/:id', updateFeed(deps))
  app.delete('/api/feeds/:id', revokeFeed(deps))
  app.post('/api/feeds/:id/links', createLink(deps))
  app.post('/api/feeds/:id/rotations', rotateLink(deps))
  app.delete('/api/feeds/:id/links/:label', endLink(deps))
  app.get('/api/companies/:id/examination', showExamination(deps))

  app.use(() => {
    throw nothingHere()
  })
  app.use(handleError(pages))
  return app
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}

/** Secrets stand in some of the answers. */
const keepNothing: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store')
  next()
}

const limitUrl: RequestHandler = (request, _response, next) => {
  if (request.url.length <= urlLengthMax) return next()
  throw request.path.startsWith('/feeds/') ? unknownCalendar() : nothingHere()
}

/** Ready is who can answer: with a database that does so soon. */
function readiness({ isReady }: HttpDeps): RequestHandler {
  return async (_, response) => {
    const tooLate = new AbortController()
    const ready = await Promise.race([
      isReady(),
      setTimeout(readyWithinMs, false, { signal: tooLate.signal }).catch(() => false),
    ])
    tooLate.abort()
    response
      .status(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'not ready\n')
  }
}

/** One place for everything that goes wrong: operating errors are answered, all else is logged and hidden. */
function handleError(deps: HttpDeps & PageDeps): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const known = withinLimit(deps, request, asAppError(error) ?? asRequestError(error))
    if (!known)
      deps.log.error({ method: request.method, route: routeOf(request), error }, 'request_failed')
    if (response.headersSent) return next(error)
    if (wantsPage(request)) return sendErrorPage(deps, request, response, known)
    if (request.path.startsWith('/feeds/')) return sendFeedError(response, known ?? error)
    sendProblem(response, known ?? new AppError('unavailable', 'Something went wrong here.'))
  }
}

/** Whoever asks for one unknown calendar after another is told to wait; known ones go on for them. */
function withinLimit(
  { limits }: HttpDeps,
  request: Request,
  error: AppError | undefined,
): AppError | undefined {
  if (error?.code !== 'not_found' || !request.path.startsWith('/feeds/')) return error
  try {
    limits.unknownTokens.take(addressKey(request))
    return error
  } catch (tooMany) {
    return asAppError(tooMany)
  }
}

/** What Express and its body parser find wrong, in our words. */
function asRequestError(error: unknown): AppError | undefined {
  if (error instanceof URIError) return unknownCalendar()
  if (!(error instanceof Error) || !('status' in error)) return undefined
  if (error.status === 413) return new AppError('too_large', 'The body is too large.')
  if (error.status === 415) {
    return new AppError('unsupported_media_type', 'The body is in a coding that is not read here.')
  }
  const isJson = 'type' in error && error.type === 'entity.parse.failed'
  const text = isJson ? 'The body is not valid JSON.' : 'The request cannot be read.'
  return Number(error.status) < 500 ? new AppError('invalid', text) : undefined
}

/** The pattern of the route: the address itself may hold a secret. */
function routeOf({ route }: { readonly route?: { readonly path?: unknown } }): string {
  return typeof route?.path === 'string' ? route.path : 'none'
}
