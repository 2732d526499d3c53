import type { RequestHandler } from 'express'

import { AppError } from '../../domain/errors.ts'
import { isolated } from '../../text/isolated-text.ts'
import { nothingHere } from '../../web/not-found.ts'
import type { HttpDeps } from '../http-deps.ts'
import { basePath, type PageDeps, sendPage } from '../pages/page-renderer.ts'
import { askedLanguage, languageQuery, preferredLanguage } from '../pages/preferred-language.ts'
import { findSignIn } from '../signed-in.ts'

/** `GET /console`: where staff arrive who have signed in; others are led to sign-in, where there is one. */
export function showConsole(deps: PageDeps & Pick<HttpDeps, 'access'>): RequestHandler {
  return async (request, response) => {
    const base = basePath(deps.publicUrl)
    response.setHeader('Cache-Control', 'no-store')
    const session = await findSignIn(deps, request)
    if (!session) {
      if (!deps.access.signIn) throw nothingHere()
      return response.redirect(303, `${base}/sign-in`)
    }
    if (!session.staff) throw new AppError('forbidden', 'This is for staff.')
    const { actor, role } = session.staff
    response.vary('Accept-Language')
    sendPage(deps, response, {
      template: 'console',
      referrer: 'same-origin',
      locale: preferredLanguage(request),
      who: isolated(actor.replace(/^staff:/, '')),
      role,
      docs: `${base}/docs`,
      me: session.person ? `${base}/me${languageQuery('?', askedLanguage(request))}` : null,
      signOut: `${base}/sign-out`,
    })
  }
}
