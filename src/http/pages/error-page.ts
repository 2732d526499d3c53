import type { Request, Response } from 'express'

import type { AppError, ErrorCode } from '../../domain/errors.ts'
import { setRetryAfter, statusOf } from '../../web/problem.ts'
import { type PageDeps, sendPage } from './page-renderer.ts'
import { preferredLanguage } from './preferred-language.ts'
import { pageLanguages } from './words/languages.ts'
import type { PageError } from './words/words.ts'

const errors: Readonly<Partial<Record<ErrorCode, PageError>>> = {
  not_found: 'unknown_page',
  gone: 'ended_link',
  forbidden: 'not_allowed',
  invalid: 'invalid',
  too_large: 'invalid',
  unavailable: 'unavailable',
  upstream_unavailable: 'unavailable',
  conflict: 'unavailable',
  too_many_requests: 'too_many_requests',
}

/** Answers what went wrong with a page that helps; the language is the browser's, since no calendar is known. */
export function sendErrorPage(
  deps: PageDeps,
  request: Request,
  response: Response,
  { error, about }: { readonly error: AppError | undefined; readonly about?: PageError },
): void {
  const kind = about ?? (error && errors[error.code]) ?? 'failure'
  const isUnknownLink = kind === 'unknown_page' && isFeedPage(request)
  const locale = preferredLanguage(request)
  if (error) setRetryAfter(response, error)
  response.status(error ? statusOf(error) : 500)
  response.vary('Accept-Language')
  sendPage(deps, response, {
    template: 'error',
    locale,
    error: pageLanguages[locale].errors[isUnknownLink ? 'unknown_link' : kind],
  })
}

/** Whether the answer is for a person: the page of a calendar, or an address opened in a browser. */
export function wantsPage(request: Request): boolean {
  if (isFeedPage(request)) return true
  const isForPrograms = /^\/(api|feeds|assets)\//.test(request.path)
  return !isForPrograms && request.accepts(['json', 'html']) === 'html'
}

function isFeedPage(request: Request): boolean {
  return /^\/feeds\/[^/]*\/?$/.test(request.path)
}
