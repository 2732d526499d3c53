import type { ErrorRequestHandler, Request, Response } from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import { sendProblem, sendProblemStatus } from '../web/problem.ts'
import { challengeOf } from './callers.ts'
import type { Controls } from './controls/controls.ts'
import { ImitatedFault } from './controls/imitation.ts'

/** Names, in a 401, the way of asking that holds (RFC 9110 section 15.5.2). */
export function challenge({ imitation }: Pick<Controls, 'imitation'>): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const isImitated = error instanceof ImitatedFault && error.fault.status === 401
    if (isImitated || asAppError(error)?.code === 'unauthorized') {
      response.setHeader('WWW-Authenticate', challengeOf(imitation.behaviour))
    }
    next(error)
  }
}

/** One place for everything that goes wrong: operating errors are answered as RFC 9457 has it, all else is logged and hidden. */
export function answerErrors(log: Log): ErrorRequestHandler {
  return (error: unknown, request: Request, response, _next) => {
    const isImitated = error instanceof ImitatedFault
    const known = asAppError(error) ?? asRequestError(error)
    if (!known && !isImitated) log.error({ error, path: request.path }, 'workforce_request_failed')
    // An answer that has begun ends without its end, which every client notices.
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

/** RFC 9110 section 10.2.3, in seconds. */
function sendImitated(response: Response, { fault, message }: ImitatedFault): void {
  const { status, retryAfter } = fault
  if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter))
  sendProblemStatus(response, status, message)
}

function asRequestError(error: unknown): AppError | undefined {
  if (!(error instanceof URIError)) return undefined
  return new AppError('invalid', 'The path is not percent-encoded UTF-8.')
}
