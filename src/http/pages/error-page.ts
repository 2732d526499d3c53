import type { Request, Response } from 'express'

import type { AppError, ErrorCode } from '../../domain/errors.ts'
import type { Locale } from '../../domain/feed.ts'
import { minuteMs } from '../../domain/world.ts'
import { setRetryAfter, statusOf } from '../../web/problem.ts'
import {
  askedLanguage,
  basePath,
  languageQuery,
  type PageDeps,
  preferredLanguage,
  sendPage,
} from './page.ts'
import { type PageError, pageLanguages } from './words/words.ts'

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

/**
 * Sends a page that explains the error and what to do; undefined means an internal error. Request limits last at most a
 * minute; only daily limits last longer.
 */
export function sendErrorPage(
  deps: PageDeps,
  request: Request,
  response: Response,
  error: AppError | undefined,
): void {
  if (!error) return sendMessagePage(deps, request, response, 500, 'failure')
  setRetryAfter(response, error)
  const about = errors[error.code] ?? 'failure'
  const isForToday = about === 'too_many_requests' && (error.retryAfterMs ?? 0) > minuteMs
  const said = isForToday ? 'too_many_today' : aboutPage(request, about)
  sendMessagePage(deps, request, response, statusOf(error), said)
}

/** Calendar pages and pages behind a sign-in describe some errors differently. */
function aboutPage(request: Request, about: PageError): PageError {
  const isOfCalendar = isFeedPage(request)
  if (about === 'unknown_page' && isOfCalendar) return 'unknown_link'
  if (about !== 'not_allowed' || isOfCalendar) return about
  return isOpened(request) ? 'not_open' : 'not_by_sign_in'
}

/** A link that leads on from a page; the first of several is the next step. */
interface WayOn {
  readonly address: string
  readonly text: string
}

/** Returns how a reader whose link does not work gets another one. */
export function viewWaysToLink(
  { access, publicUrl }: PageDeps,
  request: Request,
  locale: Locale,
): readonly WayOn[] {
  const { front, waysOn } = pageLanguages[locale]
  const base = basePath(publicUrl)
  const language = languageQuery('?', askedLanguage(request))
  return [
    ...(access.signIn ? [{ address: `${base}/me${language}`, text: front.signIn.link }] : []),
    ...(access.mailing ? [{ address: `${base}/${language}#lost`, text: front.lost.heading }] : []),
    { address: `${base}/${language}`, text: waysOn.front },
  ]
}

const withoutLink: ReadonlySet<PageError> = new Set(['unknown_link', 'ended_link', 'not_open'])
const mayPass: ReadonlySet<PageError> = new Set(['unavailable', 'too_many_requests', 'failure'])

function viewWaysOn(
  request: Request,
  locale: Locale,
  about: PageError,
  toLink: readonly WayOn[],
): readonly WayOn[] {
  if (withoutLink.has(about)) return toLink
  const home = toLink.slice(-1)
  const { again, back } = pageLanguages[locale].waysOn
  const address = languageQuery('?', askedLanguage(request)) || '?'
  if (isOpened(request) && mayPass.has(about)) return [{ address, text: again }, ...home]
  const hasPage = isFeedPage(request) || request.path === '/me'
  if (!isOpened(request) && hasPage) return [{ address, text: back }, ...home]
  return [...home, ...toLink.slice(0, -1)]
}

/** Sends a page with one message, in the browser's language since no calendar is known. */
export function sendMessagePage(
  deps: PageDeps,
  request: Request,
  response: Response,
  status: number,
  about: PageError,
): void {
  const locale = preferredLanguage(request)
  const { errors: words, waysOn } = pageLanguages[locale]
  const toLink = viewWaysToLink(deps, request, locale)
  const isHelped = toLink.length > 1 && (about === 'unknown_link' || about === 'ended_link')
  response.status(status).vary('Accept-Language')
  sendPage(deps, response, {
    template: 'error',
    locale,
    title: words[about].heading,
    error: { ...words[about], ...(isHelped && { hint: waysOn.help }) },
    waysOn: viewWaysOn(request, locale, about, toLink),
    inLanguage: isOpened(request) || isFeedPage(request) ? '?' : `${basePath(deps.publicUrl)}/?`,
    hasEnded: about === 'ended_link',
  })
}

/** Whether a person reads the response: the page of a calendar, or an address opened in a browser. */
export function wantsPage(request: Request): boolean {
  if (isFeedPage(request)) return true
  const isForPrograms = /^\/(api|feeds|assets)\//.test(request.path)
  return !isForPrograms && request.accepts(['json', 'html']) === 'html'
}

/** Whether the page was opened, not sent a form. */
function isOpened({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Or a profile that the page offers, so that a person gets the same error page. */
function isFeedPage(request: Request): boolean {
  return /^\/feeds\/[^/]*(?:\/(?:\w+\.mobileconfig)?)?$/.test(request.path)
}
