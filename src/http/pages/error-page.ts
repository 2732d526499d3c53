import type { Request, Response } from 'express'

import type { AppError, ErrorCode } from '../../domain/errors.ts'
import { setRetryAfter, statusOf } from '../../web/problem.ts'
import { sendPage } from './page-renderer.ts'
import { preferredLanguage } from './preferred-language.ts'
import { viewWaysOn, type WaysOnDeps } from './ways-on.ts'
import { pageLanguages } from './words/languages.ts'
import type { PageError } from './words/words.ts'

const errors: Readonly<Partial<Record<ErrorCode, PageError>>> = {
  not_found: 'unknown_page',
  unauthorized: 'not_open',
  wrong_method: 'wrong_method',
  gone: 'ended_link',
  forbidden: 'not_allowed',
  invalid: 'invalid',
  too_large: 'invalid',
  unsupported_media_type: 'invalid',
  unavailable: 'unavailable',
  upstream_unavailable: 'unavailable',
  conflict: 'unavailable',
  too_many_requests: 'too_many_requests',
}

/** Longer than any limit of requests makes somebody wait. */
const minuteMs = 60_000

/** Answers what went wrong with a page that helps; undefined is a mistake of ours. */
export function sendErrorPage(
  deps: WaysOnDeps,
  request: Request,
  response: Response,
  error: AppError | undefined,
): void {
  if (error) setRetryAfter(response, error)
  const about = (error && errors[error.code]) ?? 'failure'
  const status = error ? statusOf(error) : 500
  const isForLong = about === 'too_many_requests' && (error?.retryAfterMs ?? 0) > minuteMs
  const said = isForLong ? 'too_many_today' : aboutPage(request, about)
  sendMessagePage(deps, request, response, { status, about: said })
}

/** What a page of a calendar calls otherwise than one of a sign-in. */
function aboutPage(request: Request, about: PageError): PageError {
  const isOfCalendar = isFeedPage(request)
  if (about === 'unknown_page' && isOfCalendar) return 'unknown_link'
  if (about !== 'not_allowed' || isOfCalendar) return about
  return isOpened(request) ? 'not_open' : 'not_by_sign_in'
}

/** Answers with one message; the language is the browser's, since no calendar is known. */
export function sendMessagePage(
  deps: WaysOnDeps,
  request: Request,
  response: Response,
  { status, about }: { readonly status: number; readonly about: PageError },
): void {
  const locale = preferredLanguage(request)
  const { errors: words, link } = pageLanguages[locale]
  const error = words[about]
  response.status(status).vary('Accept-Language')
  sendPage(deps, response, {
    template: 'error',
    locale,
    title: error.heading,
    error,
    ...viewWaysOn(deps, request),
    isOpened: isOpened(request),
    programs: about === 'ended_link' ? link.ended.programs : [],
  })
}

/** Whether the answer is for a person: the page of a calendar, or an address opened in a browser. */
export function wantsPage(request: Request): boolean {
  if (isFeedPage(request)) return true
  const isForPrograms = /^\/(api|feeds|assets)\//.test(request.path)
  return !isForPrograms && request.accepts(['json', 'html']) === 'html'
}

/** Whether the same address may be opened in another language: what was sent to it is not sent again. */
function isOpened({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isFeedPage(request: Request): boolean {
  return /^\/feeds\/[^/]*\/?$/.test(request.path)
}
