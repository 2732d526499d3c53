import type { ErrorRequestHandler, Request } from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import { nothingHere } from '../web/not-found.ts'
import { setPageHeaders } from '../web/pages/page-policy.ts'
import { sendProblem } from '../web/problem.ts'
import { addressKey } from '../web/request-limit.ts'
import { sendFeedError } from './feed-refusals.ts'
import type { HttpDeps } from './http-deps.ts'
import { unknownCalendar } from './not-found.ts'
import { sendErrorPage, wantsPage } from './pages/error-page.ts'
import type { PageDeps } from './pages/page-renderer.ts'

type ErrorDeps = PageDeps & Pick<HttpDeps, 'access' | 'limits' | 'log'>

/** One place for everything that goes wrong: operating errors are answered, all else is logged and hidden. */
export function answerErrors(deps: ErrorDeps): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const known = limitUnknown(deps, request, asAppError(error) ?? asRequestError(error, request))
    if (!known) {
      deps.log.error({ method: request.method, route: patternOf(request), error }, 'request_failed')
    }
    if (response.headersSent) return next(error)
    const isPage = wantsPage(request)
    if (!isPage && isOfFeed(request)) return sendFeedError(response, known ?? error)
    // What is refused before all routes has not met them yet.
    setPageHeaders(request, response, () => {
      if (isPage) return sendErrorPage(deps, request, response, known)
      sendProblem(response, known ?? new AppError('unavailable', 'Something went wrong here.'))
    })
  }
}

/** Whoever asks for one unknown calendar after another is told to wait; known ones go on for them. */
function limitUnknown(
  { limits }: ErrorDeps,
  request: Request,
  error: AppError | undefined,
): AppError | undefined {
  if (error?.code !== 'not_found' || !isOfFeed(request)) return error
  try {
    limits.unknownTokens.take(addressKey(request))
    return error
  } catch (tooMany) {
    return asAppError(tooMany)
  }
}

function isOfFeed({ path }: Request): boolean {
  return path.startsWith('/feeds/')
}

function unknownAddress(request: Request): AppError {
  return isOfFeed(request) ? unknownCalendar() : nothingHere()
}

/** What Express and its parser of forms find wrong, in our words. */
function asRequestError(error: unknown, request: Request): AppError | undefined {
  if (error instanceof URIError) return unknownAddress(request)
  if (!(error instanceof Error) || !('status' in error)) return undefined
  if (error.status === 413) {
    const most = 'limit' in error ? `: at most ${String(error.limit)} bytes` : ''
    return new AppError('too_large', `The body is too large${most}.`)
  }
  if (error.status === 415) {
    return new AppError('unsupported_media_type', 'The body is in a coding that is not read here.')
  }
  if (Number(error.status) >= 500) return undefined
  return new AppError('invalid', 'The request cannot be read.')
}

/** The pattern of the route: the address itself may hold a secret. */
function patternOf({ route }: { readonly route?: { readonly path?: unknown } }): string {
  return typeof route?.path === 'string' ? route.path : 'none'
}
