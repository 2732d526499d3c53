import express, { type Express, type Request, type RequestHandler } from 'express'

import type { AppError } from '../domain/errors.ts'
import { nothingHere } from '../web/not-found.ts'
import { onlyTakes } from '../web/only-takes.ts'
import { setPageHeaders } from '../web/pages/page-policy.ts'
import { serveAsset, serveIcon } from '../web/pages/serve-asset.ts'
import { StaticAssets } from '../web/pages/static-assets.ts'
import { limitUrl, RequestLimit } from '../web/request-limit.ts'
import { routeApi } from './api/api-routes.ts'
import { serveOpenApi } from './api/openapi.ts'
import { requireStaff } from './authentication.ts'
import { refuseMethod } from './feed-refusals.ts'
import { serveCalendar, serveEvents } from './feed-routes.ts'
import type { HttpDeps } from './http-deps.ts'
import { countAnswers, guardMetrics, showMetrics } from './metrics-route.ts'
import { unknownCalendar } from './not-found.ts'
import { showDocs } from './pages/docs-page.ts'
import { changeFeedPage } from './pages/feed-form.ts'
import { showFeedPage } from './pages/feed-page.ts'
import { showFrontPage } from './pages/front-page.ts'
import { takeLostLink } from './pages/lost-link.ts'
import { showOwnCalendar } from './pages/me/me-calendar.ts'
import { changeMe } from './pages/me/me-form.ts'
import { showMe } from './pages/me/me-page.ts'
import { assetFiles } from './pages/page-assets.ts'
import type { PageDeps } from './pages/page-renderer.ts'
import { dropStrayEnd } from './pages/stray-end.ts'
import { showInstance, showReadiness } from './readiness.ts'
import { answerErrors } from './request-errors.ts'
import { onlyFromOurs } from './same-origin.ts'
import { showConsole } from './sign-in/console-page.ts'
import { onlyMeant } from './sign-in/only-meant.ts'
import {
  beginSignIn,
  chooseCompany,
  finishSignIn,
  limitSignIn,
  showCompanies,
} from './sign-in/sign-in-routes.ts'
import { signOut } from './sign-in/sign-out.ts'

/** Of one person, on their own page. */
const ofOnePersonPerMinute = 120
const readForm = express.urlencoded({ limit: 4096, extended: false })

/** The whole program as it is seen over HTTP: every route, on one screen. */
export function createHttpApp(deps: HttpDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.set('etag', false)
  app.set('trust proxy', deps.trustProxy)
  app.use(limitUrl(noAddress, '/sign-in/callback'))

  // Calendar clients: GET and HEAD (Thunderbird asks with HEAD first) at an address that ends in any name, without query,
  // cookie or redirect. They come before all middleware, which would cost more than the answer.
  app.get('/feeds/:token/:name.ics', serveCalendar(deps))
  app.get('/feeds/:token/:name.json', serveEvents(deps))
  app.all(['/feeds/:token/:name.ics', '/feeds/:token/:name.json'], refuseMethod)

  app.use(countAnswers(deps.metrics), setPageHeaders)

  // Wrong tokens are counted wherever they are tried.
  const staff = requireStaff(deps)

  // Operators. The robots of search engines may fetch everything: Google's importer of calendars obeys that file.
  app.get('/healthz', sendText('ok\n'))
  app.get('/healthz/:instance', showInstance(deps.instance))
  app.get('/readyz', showReadiness(deps.whyNotReady))
  app.get('/metrics', guardMetrics(deps, staff), showMetrics(deps.metrics))
  app.get('/robots.txt', sendText('User-agent: *\nDisallow:\n'))
  app.all(['/healthz', '/readyz', '/metrics', '/robots.txt'], onlyTakes('GET, HEAD'))

  // People.
  const pages = { ...deps, assets: new StaticAssets(assetFiles) }
  app.get('/', showFrontPage(pages))
  app.get('/assets/:version/:name', serveAsset(pages.assets))
  app.get('/favicon.ico', serveIcon(pages.assets))
  app.get('/feeds/:token{/}', dropStrayEnd(pages), showFeedPage(pages))
  app.post('/feeds/:token{/}', readForm, changeFeedPage(pages))
  app.all('/feeds/:token{/}', onlyTakes('GET, HEAD, POST'))
  app.all(['/', '/assets/:version/:name', '/favicon.ico'], onlyTakes('GET, HEAD'))

  // People who sign in.
  routeSignIn(app, pages)

  // Programs, and staff.
  app.get('/openapi.json', serveOpenApi(deps))
  app.get('/docs', showDocs(pages))
  app.all(['/openapi.json', '/docs'], onlyTakes('GET, HEAD'))
  routeApi(app, deps, staff)

  app.use(refuseUnknown)
  app.use(answerErrors(pages))
  return app
}

/** Sign-in with an identity provider, where it leads staff, and what helps who has lost their link. */
function routeSignIn(app: Express, pages: HttpDeps & PageDeps): void {
  const meant = [onlyMeant, limitSignIn(pages.clock)]
  app.get('/sign-in', meant, beginSignIn(pages))
  app.get('/sign-in/callback', meant, finishSignIn(pages))
  app.get('/sign-in/company', meant, showCompanies(pages))
  app.post('/sign-in/company', onlyFromOurs(pages.publicUrl), readForm, chooseCompany(pages))
  app.all('/sign-in/company', onlyTakes('GET, POST'))
  app.post('/sign-out', signOut(pages))
  app.get('/console', showConsole(pages))
  const limiting = new RequestLimit(ofOnePersonPerMinute, pages.clock)
  app.get('/me', showMe(pages, limiting))
  app.post('/me', onlyFromOurs(pages.publicUrl), readForm, changeMe(pages, limiting))
  app.get('/me/calendar.ics', showOwnCalendar(pages, limiting))
  app.all('/me', onlyTakes('GET, HEAD, POST'))
  app.all('/me/calendar.ics', onlyTakes('GET, HEAD'))
  app.post('/lost-link', readForm, takeLostLink(pages))
  app.all(['/sign-out', '/lost-link'], onlyTakes('POST'))
  app.all(['/sign-in', '/sign-in/callback'], onlyTakes('GET'))
  app.all('/console', onlyTakes('GET, HEAD'))
}

function sendText(text: string): RequestHandler {
  return (_request, response) => {
    response.type('text/plain').send(text)
  }
}

function noAddress({ path }: Pick<Request, 'path'>): AppError {
  return path.startsWith('/feeds/') ? unknownCalendar() : nothingHere()
}

const refuseUnknown: RequestHandler = () => {
  throw nothingHere()
}
