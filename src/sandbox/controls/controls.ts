import express, { type RequestHandler, type Router } from 'express'

import type { Clock } from '../../domain/world.ts'
import { onlyTakes } from '../../web/problem.ts'
import { readNumber, requireKnown } from '../reading/parameters.ts'
import { Imitation } from './imitation.ts'
import { readBody } from './json-body.ts'
import { showPersonsPage, type PageOf } from './persons-page.ts'
import { recordRoutes, type RecordRoutesDeps } from './record-routes.ts'
import { RequestLog } from './request-log.ts'
import { guardControls } from './who-may.ts'

export interface ControlsDeps extends Pick<RecordRoutesDeps, 'database' | 'keys'> {
  /** Opens the controls where keys are set. */
  readonly adminToken?: string | undefined
  readonly clock: Clock
  /** Numbers in [0, 1). */
  readonly random?: () => number
  /** Told after each change: of which company, of all where it names none. */
  readonly changed?: ((companyId?: string) => void) | undefined
  /** The calendar's page of somebody of the sample's company; undefined where there is none. */
  readonly pageOf?: PageOf | undefined
}

/** How a sandbox is changed while it runs, and what of it is told. */
export interface Controls {
  readonly imitation: Imitation
  readonly requests: RequestLog
  /** Below `/sandbox`. */
  readonly routes: Router
}

const requestsMax = 1000
const requestsUsual = 100

/** The controls of one sandbox. */
export function openControls(deps: ControlsDeps): Controls {
  const { database, keys, adminToken, clock, random = Math.random } = deps
  const { changed = () => undefined, pageOf = async () => undefined } = deps
  const today = (): string => new Date(clock.now()).toISOString().slice(0, 10)
  const imitation = new Imitation(clock, random)
  const requests = new RequestLog(clock)
  const routes = express.Router({ caseSensitive: true })
  routes.use(guardControls({ keys, adminToken, clock }))
  routes.get('/behaviour', showBehaviour(imitation))
  routes.put('/behaviour', readBody, replaceBehaviour(imitation, changed))
  routes.get('/requests', showRequests(requests))
  routes.post('/companies/main/users/:user/calendar', showPersonsPage(pageOf))
  routes.use('/companies', recordRoutes({ database, keys, changed, today }))
  routes.all('/companies/main/users/:user/calendar', onlyTakes('POST'))
  routes.all('/behaviour', onlyTakes('GET, HEAD, PUT'))
  routes.all(['/requests', '/companies', '/companies/:company/:kind'], onlyTakes('GET, HEAD'))
  routes.all('/companies/:company/:kind/:record', onlyTakes('GET, HEAD, PUT, DELETE'))
  return { imitation, requests, routes }
}

function showBehaviour(imitation: Imitation): RequestHandler {
  return (_request, response) => {
    response.json({ data: imitation.shown })
  }
}

function replaceBehaviour(imitation: Imitation, changed: () => void): RequestHandler {
  return (request, response) => {
    imitation.replace(request.body)
    changed()
    response.json({ data: imitation.shown })
  }
}

function showRequests(requests: RequestLog): RequestHandler {
  return (request, response) => {
    const parameters = new URL(request.originalUrl, 'http://sandbox').searchParams
    requireKnown(parameters, ['limit'])
    const limit = readNumber(parameters, 'limit', [1, requestsMax]) ?? requestsUsual
    response.json({ data: requests.latest(limit) })
  }
}
