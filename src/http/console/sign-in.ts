/* Sign-in to the console with a token. */
import type { Request, RequestHandler, Response } from 'express'
import express from 'express'

import { saveAuditEvent } from '../../domain/access/audit-entry.ts'
import { addressKey, type RequestLimit } from '../../web/request-limit.ts'
import { findSession, readCookie, setCookie } from '../authentication.ts'
import {
  basePath,
  languageQuery,
  askedLanguage,
  type PageDeps,
  preferredLanguage,
  sendPage,
} from '../pages/page.ts'
import { consoleLanguages } from './words/words.ts'

export const readSignIn: RequestHandler = express.urlencoded({ limit: 8192, extended: false })

/** `GET /console/sign-in`: one field for a token, and the way to the identity provider, if there is one. */
export function showTokenSignIn(deps: PageDeps): RequestHandler {
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.vary('Cookie')
    const session = await findSession(deps, request)
    const language = languageQuery('?', askedLanguage(request))
    if (session?.staff) {
      return response.redirect(303, `${basePath(deps.publicUrl)}/console${language}`)
    }
    sendSignIn(deps, request, response, { to: destinationOf(request.query['to']), refused: false })
  }
}

/** `POST /console/sign-in`: starts a session that lasts as long as the token. Wrong tokens are limited by address. */
export function takeTokenSignIn(deps: PageDeps, wrongTokens: RequestLimit): RequestHandler {
  return async (request, response) => {
    const { access, publicUrl, clock, log } = deps
    response.setHeader('Cache-Control', 'no-store')
    const { token: given, to: asked } = Object(request.body)
    const to = destinationOf(asked)
    const tokenHash = typeof given === 'string' ? deps.hashOfToken(given.trim()) : undefined
    const staff = tokenHash && (await deps.findStaff(tokenHash))
    if (!staff) {
      deps.metrics.countSignIn('wrong_token')
      wrongTokens.take(addressKey(request))
      response.status(401)
      return sendSignIn(deps, request, response, { to, refused: true })
    }
    const before = readCookie(request, 'cfb_session', publicUrl)
    if (before !== undefined) await access.sessions.end(before)
    const { sessions } = access
    const secret = await sessions.begin({ person: null, staff: null, staffToken: tokenHash })
    const { actor, companyId } = staff
    await saveAuditEvent(
      { audit: access.audit, clock, log },
      { actor, action: 'staff_signed_in' },
      { companyId },
    )
    deps.metrics.countSignIn('signed_in')
    setCookie(response, 'cfb_session', secret, { publicUrl, maxAge: sessions.sessionMs })
    const language = to.includes('?') ? '&' : '?'
    response.redirect(
      303,
      `${basePath(publicUrl)}${to}${languageQuery(language, askedLanguage(request))}`,
    )
  }
}

/** Only pages of the console; a proxy strips the base path, so it never stands in front. */
function destinationOf(asked: unknown): string {
  const isOurs =
    typeof asked === 'string' && /^\/console(?:[/?][\w\-./?=&%+@~:,!'()*]*)?$/.test(asked)
  if (!isOurs || asked.includes('//')) return '/console'
  // Browsers resolve `..`, which may lead out of the console.
  return new URL(asked, 'http://console').pathname === asked.replace(/\?.*/, '')
    ? asked
    : '/console'
}

function sendSignIn(
  deps: PageDeps,
  request: Request,
  response: Response,
  { to, refused }: { readonly to: string; readonly refused: boolean },
): void {
  const base = basePath(deps.publicUrl)
  const locale = preferredLanguage(request)
  response.vary('Accept-Language')
  const language = languageQuery('?', askedLanguage(request))
  sendPage(deps, response, {
    template: 'console/sign-in',
    locale,
    referrer: 'same-origin',
    styles: ['console.css'],
    c: consoleLanguages[locale],
    inLanguage:
      `${base}/console/sign-in?${new URLSearchParams(to === '/console' ? {} : { to }).toString()}&`.replace(
        '?&',
        '?',
      ),
    action: `${base}/console/sign-in${language}`,
    to,
    refused,
    tokenFile: deps.tokenFile ?? null,
    provider: deps.access.signIn?.hasStaff ? `${base}/sign-in` : null,
  })
}
