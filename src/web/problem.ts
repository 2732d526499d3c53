import { STATUS_CODES } from 'node:http'

import type { Response, RequestHandler } from 'express'

import { type ErrorCode, type InputFault, AppError } from '../domain/errors.ts'
import { withoutSecrets } from '../domain/secrets.ts'

/** The HTTP status of each operating error, and its reason phrase (RFC 9110 section 15). */
const answers: Readonly<Record<ErrorCode, readonly [status: number, title: string]>> = {
  invalid: [400, 'Bad Request'],
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not Found'],
  wrong_method: [405, 'Method Not Allowed'],
  gone: [410, 'Gone'],
  conflict: [409, 'Conflict'],
  too_large: [413, 'Content Too Large'],
  unsupported_media_type: [415, 'Unsupported Media Type'],
  too_many_requests: [429, 'Too Many Requests'],
  unavailable: [503, 'Service Unavailable'],
  upstream_unavailable: [503, 'Service Unavailable'],
  upstream_rejected: [502, 'Bad Gateway'],
  upstream_not_found: [502, 'Bad Gateway'],
  upstream_invalid: [502, 'Bad Gateway'],
  upstream_misnamed: [502, 'Bad Gateway'],
}

export function statusOf({ code }: AppError): number {
  return answers[code][0]
}

/** Some messages repeat input. */
const detailLengthMax = 2000

/** An RFC 9457 problem document. */
export interface Problem {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly InputFault[]
}

/** Sends an RFC 9457 problem document for the error, with `Retry-After` if the error has a time. */
export function sendProblem(response: Response, error: AppError): void {
  const [status, title] = answers[error.code]
  if (status === 401 && !response.hasHeader('WWW-Authenticate'))
    response.setHeader('WWW-Authenticate', 'Bearer')
  setRetryAfter(response, error)
  const errors = error.faults.length > 0 ? { errors: error.faults } : {}
  send(response, { type: 'about:blank', title, status, detail: error.message, ...errors })
}

export function sendProblemStatus(response: Response, status: number, detail: string): void {
  send(response, { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail })
}

function send(response: Response, problem: Problem): void {
  const { detail } = problem
  const said = detail.length > detailLengthMax ? `${detail.slice(0, detailLengthMax)}…` : detail
  response
    .status(problem.status)
    .type('application/problem+json')
    .send(withoutSecrets(JSON.stringify({ ...problem, detail: said })))
}

/** Sets `Retry-After` in whole seconds (RFC 9110 section 10.2.3). */
export function setRetryAfter(response: Response, { retryAfterMs }: AppError): void {
  if (retryAfterMs === undefined) return
  response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))))
}

/** Returns the error for an unknown address. */
export function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}

/** Refuses all methods that no earlier handler accepts, and lists those in `Allow` (RFC 9110 section 15.5.6). */
export function onlyTakes(methods: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', methods)
    throw new AppError('wrong_method', `This address only accepts ${methods}.`)
  }
}
