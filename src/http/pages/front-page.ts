import type { Request, RequestHandler, Response } from 'express'

import type { SignedIn } from '../../domain/access/session.ts'
import { type Locale, locales } from '../../domain/feed.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { isLoopback, isFromHere } from '../../web/loopback.ts'
import type { HttpDeps } from '../http-deps.ts'
import { findSignIn } from '../signed-in.ts'
import { basePath, type Page, type PageDeps, renderPage, sendPage } from './page-renderer.ts'
import { preferredLanguage } from './preferred-language.ts'

type FrontPageDeps = PageDeps & Pick<HttpDeps, 'demoPage' | 'access'>

/**
 * `GET /`: leads who is signed in to their place; says to all others what this is, how to sign in, what to do about a lost link,
 * and where it is documented. Beside the sample company it also leads
 * to the sample employee's page, whose address is secret: only on a machine's own address, asked for under that.
 */
export function showFrontPage(deps: FrontPageDeps): RequestHandler {
  const pages = new Map(locales.map((locale) => [locale, lastingPage(deps, locale)]))
  return async (request, response, next) => {
    response.vary('Cookie')
    const signedIn = await findSignIn(deps, request)
    if (signedIn) return sendHome(deps, response, signedIn)
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

function frontPage({ publicUrl, access }: FrontPageDeps, locale: Locale, demo?: string): Page {
  const base = basePath(publicUrl)
  return {
    template: 'front',
    locale,
    docs: `${base}/docs`,
    signIn: access.signIn && `${base}/sign-in`,
    lostLink: access.mailing && `${base}/lost-link?lang=${locale}`,
    demo,
  }
}

/** Staff who are in no directory have no calendar of their own. */
function sendHome({ publicUrl }: FrontPageDeps, response: Response, { person }: SignedIn): void {
  response.setHeader('Cache-Control', 'no-store')
  response.redirect(303, `${basePath(publicUrl)}${person ? '/me' : '/console'}`)
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
