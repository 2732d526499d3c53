import type { ErrorRequestHandler, Request } from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import { setPageHeaders } from '../web/pages/templates.ts'
import { nothingHere, sendProblem } from '../web/problem.ts'
import { addressKey } from '../web/request-limit.ts'
import { sendFeedError, unknownCalendar } from './feed-routes.ts'
import { sendErrorPage, wantsPage } from './pages/error-page.ts'
import type { PageDeps } from './pages/page.ts'

/** Handles all errors: sends known ones to the client; logs all others and hides their details. */
export function answerErrors(deps: PageDeps): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const isOfFeed = request.path.startsWith('/feeds/')
    let known = asAppError(error) ?? asRequestError(error, isOfFeed)
    // An address that requests one unknown calendar after another must wait; known calendars still work for it.
    if (isOfFeed && known?.code === 'not_found') {
      known = tooManyUnknown(deps, request) ?? known
    }
    if (!known) {
      // The route's pattern, since the address itself may hold a secret.
      const route = typeof request.route?.path === 'string' ? request.route.path : 'none'
      deps.log.error({ method: request.method, route, error }, 'request_failed')
    }
    if (response.headersSent) return next(error)
    const isPage = wantsPage(request)
    if (!isPage && isOfFeed) return sendFeedError(response, known ?? error)
    // A request refused before all routes does not have these headers yet.
    setPageHeaders(request, response, () => {
      if (isPage) return sendErrorPage(deps, request, response, known)
      sendProblem(response, known ?? new AppError('unavailable', 'Something went wrong.'))
    })
  }
}

function tooManyUnknown({ limits }: PageDeps, request: Request): AppError | undefined {
  try {
    limits.unknownTokens.take(addressKey(request))
    return undefined
  } catch (tooMany) {
    return asAppError(tooMany)
  }
}

/** Translates errors of Express and its form parser. */
function asRequestError(error: unknown, isOfFeed: boolean): AppError | undefined {
  if (error instanceof URIError) return isOfFeed ? unknownCalendar() : nothingHere()
  if (!(error instanceof Error) || !('status' in error)) return undefined
  if (error.status === 413) {
    const most = 'limit' in error ? ` The maximum is ${String(error.limit)} bytes.` : ''
    return new AppError('too_large', `The body is too large.${most}`)
  }
  if (error.status === 415) {
    return new AppError('unsupported_media_type', 'Unsupported content encoding of the body.')
  }
  if (Number(error.status) >= 500) return undefined
  return new AppError('invalid', 'Invalid request.')
}
