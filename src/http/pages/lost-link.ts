import type { Request, RequestHandler } from 'express'
import { z } from 'zod'

import { nothingHere } from '../../web/not-found.ts'
import { addressKey, RequestLimit, siteKey } from '../../web/request-limit.ts'
import type { HttpDeps } from '../http-deps.ts'
import { isFromOwnPage } from './cross-site.ts'
import { sendMessagePage } from './error-page.ts'
import { basePath, type PageDeps, sendPage } from './page-renderer.ts'
import { askedLanguage, languageQuery, preferredLanguage } from './preferred-language.ts'

const hourMs = 3_600_000
/** Of one address that asks. */
const ofOneAddressAnHour = 10
/** Of one site, which has 256 such addresses and could fill the queue by them. */
const ofOneSiteAnHour = 50

const formSchema = z.object({ email: z.string() })

/**
 * `POST /lost-link`: the same answer to everybody, before anything is looked up; whoever asks too often is answered alike, and
 * nothing comes of it.
 */
export function takeLostLink(deps: PageDeps & Pick<HttpDeps, 'access' | 'clock'>): RequestHandler {
  const ofAddress = new RequestLimit(ofOneAddressAnHour, deps.clock, hourMs)
  const ofSite = new RequestLimit(ofOneSiteAnHour, deps.clock, hourMs)
  const isTooOften = (request: Request): boolean =>
    !ofAddress.count(addressKey(request)) || !ofSite.count(siteKey(request))
  return (request, response) => {
    const { mailing } = deps.access
    if (!mailing) throw nothingHere()
    if (!isFromOwnPage(request.headers, deps.publicUrl)) {
      const refusal = { status: 403, about: 'foreign_request' } as const
      return sendMessagePage(deps, request, response, refusal)
    }
    const locale = preferredLanguage(request)
    response.vary('Accept-Language')
    sendPage(deps, response, {
      template: 'lost-link',
      locale,
      front: `${basePath(deps.publicUrl)}/${languageQuery('?', askedLanguage(request))}`,
    })
    const form = formSchema.safeParse(request.body)
    // Where proxies are not counted all people are at one address; only the log says why nothing is mailed.
    if (isTooOften(request)) return mailing.lostLinks.drop()
    if (form.success) mailing.lostLinks.ask(form.data.email)
  }
}
