import express, { type Express, type Request, type RequestHandler } from 'express'

import { neededOnRoutes, type StaffRoute } from '../access/needed-roles.ts'
import { serveDav } from '../dav/dav-routes.ts'
import type { AppError } from '../domain/errors.ts'
import { StaticAssets } from '../web/lasting-answer.ts'
import { setPageHeaders } from '../web/pages/templates.ts'
import { nothingHere, onlyTakes } from '../web/problem.ts'
import { readBody } from '../web/request-body.ts'
import { limitUrl, RequestLimit } from '../web/request-limit.ts'
import { apiHandlers } from './api/handlers.ts'
import { serveOpenApi } from './api/openapi.ts'
import { limitWrongTokens, requireOwnPage, requireRole, requireStaff } from './authentication.ts'
import { takeConsole } from './console/console-routes.ts'
import { davDeps, refuseMethod, serveCalendar, unknownCalendar } from './feed-routes.ts'
import type { HttpDeps } from './http-deps.ts'
import {
  countAnswers,
  guardMetrics,
  showInstance,
  showMetrics,
  showReadiness,
} from './operator-routes.ts'
import { BrandFiles } from './pages/brand-files.ts'
import { showDocs } from './pages/docs-page.ts'
import { changeFeedPage, showFeedPage } from './pages/feed-page.ts'
import { showFrontPage, takeLostLink } from './pages/front-page.ts'
import { changeMe, showMe, showOwnCalendar } from './pages/me-page.ts'
import { assetFiles } from './pages/page.ts'
import { showProfile } from './pages/profiles.ts'
import { answerErrors } from './request-errors.ts'
import {
  beginSignIn,
  chooseCompany,
  finishSignIn,
  guardSignIn,
  showCompanies,
  showRefusal,
  signOut,
} from './sign-in.ts'

const meRequestsPerMinute = 120
const readForm = express.urlencoded({ limit: 4096, extended: false })

/** Returns the app with every route, on one screen. */
export function createHttpApp(deps: HttpDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('etag', false)
  app.set('trust proxy', deps.trustProxy)
  app.use(limitUrl(noAddress, '/sign-in/callback'))

  // Calendar clients: GET and HEAD (Thunderbird starts with HEAD) at an address with any name at its end, without query,
  // cookie or redirect. Before all middleware, which would cost more than the response.
  app.get('/feeds/:token/:name.ics', serveCalendar(deps, 'ics'))
  app.get('/feeds/:token/:name.json', serveCalendar(deps, 'json'))
  app.all(['/feeds/:token/:name.ics', '/feeds/:token/:name.json'], refuseMethod)

  // Calendar clients with an account: everything below `/dav/`, and `/.well-known/caldav`.
  app.use(serveDav(davDeps(deps)))

  app.use(countAnswers(deps.metrics), setPageHeaders)
  // One instance for all routes, so that wrong tokens count together wherever they are tried.
  const wrongTokens = limitWrongTokens(deps.clock)
  const staff = requireStaff(deps, wrongTokens)

  // Operators. Search engines may fetch everything, because Google's calendar importer obeys robots.txt.
  app.get('/healthz', sendText('ok\n'))
  app.get('/healthz/:instance', showInstance(deps.instance))
  app.get('/readyz', showReadiness(deps.whyNotReady))
  app.get('/metrics', guardMetrics(deps.publicUrl, staff), showMetrics(deps.metrics))
  app.get('/robots.txt', sendText('User-agent: *\nDisallow:\n'))
  app.all(['/healthz', '/readyz', '/metrics', '/robots.txt'], onlyTakes('GET, HEAD'))

  // People.
  const pages = {
    ...deps,
    assets: new StaticAssets(assetFiles),
    brands: new BrandFiles(deps.brandOf, deps.connections.keys()),
  }
  app.get('/', showFrontPage(pages))
  app.get('/assets/brand/:name', pages.brands.serve)
  app.get('/assets/:version/:name', pages.assets.serve)
  app.get('/favicon.ico', pages.assets.serveIcon)
  app.all(['/', '/assets/:version/:name', '/favicon.ico'], onlyTakes('GET, HEAD'))
  app.get('/feeds/:token{/}', showFeedPage(pages))
  app.post('/feeds/:token{/}', readForm, changeFeedPage(pages))
  app.all('/feeds/:token{/}', onlyTakes('GET, HEAD, POST'))
  for (const kind of ['account', 'subscription'] as const) {
    app.get(`/feeds/:token/${kind}.mobileconfig`, showProfile(pages, kind))
    app.all(`/feeds/:token/${kind}.mobileconfig`, onlyTakes('GET, HEAD'))
  }
  app.post('/lost-link', readForm, takeLostLink(pages))

  // Signing in. Changes by session must come from our own pages.
  const opened = guardSignIn(deps.clock)
  const ownPage = requireOwnPage(deps.publicUrl)
  app.get('/sign-in', opened, beginSignIn(pages))
  app.get('/sign-in/callback', opened, finishSignIn(pages))
  app.all(['/sign-in', '/sign-in/callback'], onlyTakes('GET'))
  app.get('/sign-in/refused', showRefusal(pages))
  app.get('/sign-in/company', opened, showCompanies(pages))
  app.post('/sign-in/company', ownPage, readForm, chooseCompany(pages))
  app.all('/sign-in/refused', onlyTakes('GET, HEAD'))
  app.all('/sign-in/company', onlyTakes('GET, POST'))
  app.post('/sign-out', ownPage, signOut(pages))
  app.all(['/sign-out', '/lost-link'], onlyTakes('POST'))
  takeConsole(app, pages, wrongTokens)
  const limit = new RequestLimit(meRequestsPerMinute, deps.clock)
  app.get('/me', showMe(pages, limit))
  app.post('/me', ownPage, readForm, changeMe(pages, limit))
  app.all('/me', onlyTakes('GET, HEAD, POST'))
  app.get('/me/calendar.ics', showOwnCalendar(pages, limit))
  app.all('/me/calendar.ics', onlyTakes('GET, HEAD'))

  // Programs and staff.
  app.get('/openapi.json', serveOpenApi(deps.publicUrl))
  app.get('/docs', showDocs(pages))
  app.all(['/openapi.json', '/docs'], onlyTakes('GET, HEAD'))
  app.use('/api', staff, neverStore)
  takeApi(app, apiHandlers(deps))

  app.use(() => {
    throw nothingHere()
  })
  app.use(answerErrors(pages))
  return app
}

const largeBodies: ReadonlySet<string> = new Set(['POST /api/feeds', 'POST /api/feed-changes'])
const apiMethods = ['get', 'post', 'patch', 'delete'] as const

/** Adds the API's routes: the role is checked before the body is read; other methods are refused. */
function takeApi(app: Express, handlers: ReturnType<typeof apiHandlers>): void {
  const taken = new Map<string, string[]>()
  for (const route of Object.keys(neededOnRoutes)) {
    if (!isStaffRoute(route)) continue
    const [name = '', written = ''] = route.split(' ')
    const path = written.replaceAll(/\{(\w+)\}/g, ':$1')
    const method = apiMethods.find((it) => it.toUpperCase() === name) ?? 'get'
    // Lists and tables are larger than other bodies, so their handler reads them itself.
    const read = largeBodies.has(route) ? [] : [readBody]
    app[method](path, requireRole(neededOnRoutes[route]), ...read, handlers[route])
    taken.set(path, [...(taken.get(path) ?? []), name === 'GET' ? 'GET, HEAD' : name])
  }
  for (const [path, names] of taken) app.all(path, onlyTakes(names.join(', ')))
}

function isStaffRoute(route: string): route is StaffRoute {
  return route.includes(' /api/')
}

/** Some responses hold secrets. */
const neverStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store')
  next()
}

function sendText(text: string): RequestHandler {
  return (_request, response) => {
    response.type('text/plain').send(text)
  }
}

function noAddress({ path }: Request): AppError {
  return path.startsWith('/feeds/') ? unknownCalendar() : nothingHere()
}
