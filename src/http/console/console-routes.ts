import type { Express, RequestHandler } from 'express'

import { type ConsoleRoute, neededOnRoutes } from '../../access/needed-roles.ts'
import { onlyTakes } from '../../web/problem.ts'
import type { RequestLimit } from '../../web/request-limit.ts'
import { requireOwnPage } from '../authentication.ts'
import type { PageDeps } from '../pages/page.ts'
import { accessHandlers } from './access-page.ts'
import { auditHandlers } from './audit-page.ts'
import { companiesHandlers } from './companies-page.ts'
import { admit, type ConsoleHandler } from './console.ts'
import { defaultsHandlers } from './defaults-page.ts'
import { eraseHandlers } from './erase-page.ts'
import { firstStepsHandlers } from './first-steps-page.ts'
import { handOutHandlers } from './hand-out-page.ts'
import { overviewHandlers } from './overview-page.ts'
import { peopleHandlers } from './people-page.ts'
import { personHandlers } from './person-page.ts'
import { readSignIn, showTokenSignIn, takeTokenSignIn } from './sign-in.ts'
import { teamsHandlers } from './teams-page.ts'
import { tokensHandlers } from './tokens-page.ts'

/** Adds the console's routes. A form must come from one of our own pages; the role is checked before it is read. */
export function takeConsole(app: Express, deps: PageDeps, wrongTokens: RequestLimit): void {
  const ownPage = requireOwnPage(deps.publicUrl)
  app.get('/console/sign-in', showTokenSignIn(deps))
  app.post('/console/sign-in', ownPage, readSignIn, takeTokenSignIn(deps, wrongTokens))
  const taken = new Map([['/console/sign-in', ['GET, HEAD', 'POST']]])
  const handlers = consoleHandlers(deps)
  for (const route of Object.keys(neededOnRoutes)) {
    if (!isConsoleRoute(route)) continue
    const [method = '', written = ''] = route.split(' ')
    const path = written.replaceAll(/\{(\w+)\}/g, ':$1')
    const handle: RequestHandler = admit(deps, neededOnRoutes[route], handlers[route])
    if (method === 'GET') app.get(path, handle)
    else app.post(path, ownPage, handle)
    taken.set(path, [...(taken.get(path) ?? []), method === 'GET' ? 'GET, HEAD' : method])
  }
  for (const [path, methods] of taken) app.all(path, onlyTakes(methods.join(', ')))
}

function isConsoleRoute(route: string): route is ConsoleRoute {
  return / \/console(?!\/sign-in)/.test(route)
}

function consoleHandlers(deps: PageDeps): Readonly<Record<ConsoleRoute, ConsoleHandler>> {
  return {
    ...overviewHandlers(deps),
    ...peopleHandlers(deps),
    ...handOutHandlers(deps),
    ...personHandlers(deps),
    ...teamsHandlers(deps),
    ...defaultsHandlers(deps),
    ...companiesHandlers(deps),
    ...auditHandlers(deps),
    ...tokensHandlers(deps),
    ...accessHandlers(deps),
    ...eraseHandlers(deps),
    ...firstStepsHandlers(deps),
  }
}
