import type { Request, Response } from 'express'

import type { SignInRefused } from '../../access/sign-in/refusals.ts'
import { setRetryAfter, statusOf } from '../../web/problem.ts'
import type { HttpDeps } from '../http-deps.ts'
import { basePath, type PageDeps, sendPage } from '../pages/page-renderer.ts'
import { preferredLanguage } from '../pages/preferred-language.ts'
import { pageLanguages } from '../pages/words/languages.ts'

/** Says why nobody is signed in, and what to do about it; the log has it for IT. */
export function sendRefusal(
  deps: PageDeps & Pick<HttpDeps, 'log'>,
  request: Request,
  response: Response,
  refused: SignInRefused,
): void {
  const { reason, what, mend } = refused
  deps.log.warn({ reason, ...(what && { what }), ...(mend && { mend }) }, 'sign_in_refused')
  const base = basePath(deps.publicUrl)
  const locale = preferredLanguage(request)
  setRetryAfter(response, refused)
  response.status(statusOf(refused)).vary('Accept-Language')
  sendPage(deps, response, {
    template: 'sign-in-refused',
    locale,
    refusal: pageLanguages[locale].signIn.refusals[reason],
    waysOn: { own: null, front: `${base}/` },
    signIn: `${base}/sign-in`,
  })
}
