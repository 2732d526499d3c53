import type { Request, RequestHandler } from 'express'

import { type Locale, locales } from '../../domain/feed.ts'
import { hourMs } from '../../domain/world.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { isFromHere, isLoopback } from '../../web/loopback.ts'
import { isFromOwnPage } from '../../web/own-page.ts'
import { nothingHere } from '../../web/problem.ts'
import { addressKey, RequestLimit, siteKey } from '../../web/request-limit.ts'
import { findSession } from '../authentication.ts'
import { sendMessagePage, viewWaysToLink } from './error-page.ts'
import {
  askedLanguage,
  basePath,
  languageQuery,
  type Page,
  type PageDeps,
  preferredLanguage,
  renderPage,
  sendPage,
} from './page.ts'

const lostLinksPerAddressAndHour = 10
/** A site has 256 of the addresses that the other limit counts, enough to fill the queue. */
const lostLinksPerSiteAndHour = 50

/**
 * `GET /`: redirects people who are signed in to their page. Tells all others what this is, how to sign in, what to do
 * about a lost link, and where the documentation is. With the sample company, it also links to the sample employee's page.
 * That address is secret, so only loopback requests to a loopback address see it.
 */
export function showFrontPage(deps: PageDeps): RequestHandler {
  const pages = new Map(locales.map((locale) => [locale, lastingPage(deps, locale)]))
  const base = basePath(deps.publicUrl)
  return async (request, response, next) => {
    response.vary('Cookie')
    const session = await findSession(deps, request)
    if (session) {
      response.setHeader('Cache-Control', 'no-store')
      const language = languageQuery('?', askedLanguage(request))
      return response.redirect(303, `${base}${session.person ? '/me' : '/console'}${language}`)
    }
    const locale = preferredLanguage(request)
    response.vary('Accept-Language')
    const demo = isLoopback(deps.publicUrl) && isFromHere(request) && (await deps.demoPage())
    if (demo) return sendPage(deps, response, frontPage(deps, locale, new URL(demo).pathname))
    await pages.get(locale)?.(request, response, next)
  }
}

function lastingPage(deps: PageDeps, locale: Locale): RequestHandler {
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': locale },
    make: () => renderPage(deps, frontPage(deps, locale)),
  })
}

function frontPage(deps: PageDeps, locale: Locale, demo?: string): Page {
  const { publicUrl, access } = deps
  const base = basePath(publicUrl)
  return {
    template: 'front',
    locale,
    styles: ['front-page.css'],
    name: deps.brandOf().name,
    console: `${base}/console`,
    docs: `${base}/docs`,
    signIn: access.signIn && `${base}/sign-in`,
    lostLink: access.mailing && `${base}/lost-link?lang=${locale}`,
    demo,
  }
}

/**
 * `POST /lost-link`: the same response for everyone, sent before any lookup. Above the limits it is the same too, but no
 * mail follows.
 */
export function takeLostLink(deps: PageDeps): RequestHandler {
  const ofAddress = new RequestLimit(lostLinksPerAddressAndHour, deps.clock, hourMs)
  const ofSite = new RequestLimit(lostLinksPerSiteAndHour, deps.clock, hourMs)
  const isTooOften = (request: Request): boolean =>
    !ofAddress.count(addressKey(request)) || !ofSite.count(siteKey(request))
  return (request, response) => {
    const { mailing } = deps.access
    if (!mailing) throw nothingHere()
    if (!isFromOwnPage(request.headers, deps.publicUrl, { mayHideOrigin: true })) {
      return sendMessagePage(deps, request, response, 403, 'foreign_request')
    }
    response.vary('Accept-Language')
    sendPage(deps, response, {
      template: 'lost-link',
      locale: preferredLanguage(request),
      inLanguage: `${basePath(deps.publicUrl)}/?`,
      waysOn: viewWaysToLink(deps, request, preferredLanguage(request)).slice(-1),
    })
    const email: unknown = request.body?.email
    // Without `TRUST_PROXY`, all people behind a proxy share one address; only the log says why no mail is sent.
    if (isTooOften(request)) return mailing.lostLinks.drop()
    if (typeof email === 'string') mailing.lostLinks.ask(email)
  }
}
