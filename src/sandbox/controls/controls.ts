import express, { type RequestHandler, type Router, type Request } from 'express'

import { AppError } from '../../domain/errors.ts'
import { hashOfKey } from '../../settings/fields.ts'
import { isFromHere } from '../../web/loopback.ts'
import { onlyTakes } from '../../web/problem.ts'
import { addressKey, RequestLimit } from '../../web/request-limit.ts'
import { bearerOf } from '../callers.ts'
import { readNumber, requireKnown } from '../reading/list-question.ts'
import { Imitation } from './imitation.ts'
import { readBody } from './input.ts'
import { recordRoutes, type RecordRoutesDeps } from './record-routes.ts'
import { RequestLog } from './request-log.ts'

export interface ControlsDeps extends RecordRoutesDeps {
  /** The bearer token for the controls if keys are set. */
  readonly adminToken?: string | undefined
  readonly random?: () => number
  /** Returns the address of a sample person's calendar page; undefined if there is none. */
  readonly pageOf?: ((userId: string) => Promise<string | undefined>) | undefined
}

export interface Controls {
  readonly imitation: Imitation
  readonly requests: RequestLog
  /** Mounted below `/sandbox`. */
  readonly routes: Router
}

const requestsMax = 1000
const requestsUsual = 100

export function openControls(deps: ControlsDeps): Controls {
  const { clock, random = Math.random } = deps
  const { changed = () => undefined, pageOf = async () => undefined } = deps
  const imitation = new Imitation(clock, random)
  const requests = new RequestLog(clock)
  const routes = express.Router({ caseSensitive: true })
  routes.use(guardControls(deps))
  routes.get('/behaviour', (_request, response) => {
    response.json({ data: imitation.shown })
  })
  routes.put('/behaviour', readBody, (request, response) => {
    imitation.replace(request.body)
    changed()
    response.json({ data: imitation.shown })
  })
  routes.get('/requests', (request, response) => {
    const parameters = new URL(request.originalUrl, 'http://sandbox').searchParams
    requireKnown(parameters, ['limit'])
    const limit = readNumber(parameters, 'limit', [1, requestsMax]) ?? requestsUsual
    response.json({ data: requests.latest(limit) })
  })
  // Redirects to the page for subscribing to the person's calendar; programs get its address as JSON.
  routes.post('/companies/main/users/:user/calendar', async (request, response) => {
    const userId = request.params.user
    const page = await pageOf(userId)
    if (page === undefined) {
      throw new AppError('not_found', `There is no calendar of ${userId} here.`)
    }
    const wantsJson = request.accepts(['html', 'json']) === 'json'
    if (wantsJson) response.json({ data: { page } })
    else response.redirect(303, page)
  })
  routes.use('/companies', recordRoutes(deps))
  routes.all('/companies/main/users/:user/calendar', onlyTakes('POST'))
  routes.all('/behaviour', onlyTakes('GET, HEAD, PUT'))
  routes.all(['/requests', '/companies', '/companies/:company/:kind'], onlyTakes('GET, HEAD'))
  routes.all('/companies/:company/:kind/:record', onlyTakes('GET, HEAD, PUT, DELETE'))
  return { imitation, requests, routes }
}

const failuresPerMinute = 30

/**
 * Without keys, admits requests from this machine; with keys, requests with the admin token. Refuses requests from pages of
 * other sites. Too many wrong tokens per minute from one address yield 429 instead of 401.
 */
function guardControls({ keys, adminToken, clock }: ControlsDeps): RequestHandler {
  const failures = new RequestLimit(failuresPerMinute, clock)
  const right = adminToken === undefined ? undefined : hashOfKey(adminToken)
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store')
    if (!isFromOwnPage(request)) {
      throw new AppError('forbidden', 'No page of another site may use the controls.')
    }
    if (keys.size === 0) return isFromHere(request) ? next() : next(onlyHere())
    const given = bearerOf(request.headers.authorization)
    // Compares hashes: how much of them matches reveals nothing about the token.
    if (given !== undefined && hashOfKey(given) === right) return next()
    failures.take(addressKey(request))
    throw new AppError('unauthorized', 'The controls need ADMIN_TOKEN as a bearer token.')
  }
}

/** Returns the `forbidden` error for requests from other machines. */
export function onlyHere(): AppError {
  return new AppError(
    'forbidden',
    'Without keys the controls answer this machine alone: set WORKFORCE_SANDBOX_KEYS and ADMIN_TOKEN.',
  )
}

/** Checks W3C Fetch Metadata (`Sec-Fetch-Site`) and `Origin`; a request with neither does not come from a page. */
function isFromOwnPage({ headers }: Request): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || URL.parse(origin)?.host === host
}
