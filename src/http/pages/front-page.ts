import type { Request, RequestHandler } from 'express'

import { type Locale, locales } from '../../domain/feed.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { isLoopback, isFromHere } from '../../web/loopback.ts'
import type { HttpDeps } from '../http-deps.ts'
import { basePath, type Page, type PageDeps, renderPage, sendPage } from './page-renderer.ts'
import { preferredLanguage } from './preferred-language.ts'

type FrontPageDeps = PageDeps & Pick<HttpDeps, 'demoPage'>

/**
 * `GET /`: what this is, what to do about a lost link, and where it is documented. Beside the sample company it also leads
 * to the sample employee's page, whose address is secret: only on a machine's own address, asked for under that.
 */
export function showFrontPage(deps: FrontPageDeps): RequestHandler {
  const pages = new Map(locales.map((locale) => [locale, lastingPage(deps, locale)]))
  return async (request, response, next) => {
    const locale = preferredLanguage(request)
    response.vary('Accept-Language')
    const demo = await demoFor(deps, request)
    if (demo !== undefined) return sendPage(deps, response, frontPage(deps, locale, demo))
    await pages.get(locale)?.(request, response, next)
  }
}

function lastingPage(deps: FrontPageDeps, locale: Locale): RequestHandler {
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': locale },
    make: () => renderPage(deps, frontPage(deps, locale)),
  })
}

function frontPage({ publicUrl }: FrontPageDeps, locale: Locale, demo?: string): Page {
  return { template: 'front', locale, docs: `${basePath(publicUrl)}/docs`, demo }
}

/** The path of the sample employee's page, for whom it may be told. */
async function demoFor(
  { publicUrl, demoPage }: FrontPageDeps,
  request: Request,
): Promise<string | undefined> {
  if (!isLoopback(publicUrl) || !isFromHere(request)) return undefined
  const page = await demoPage()
  return page === undefined ? undefined : new URL(page).pathname
}
