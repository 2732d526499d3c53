import type { Request, Response } from 'express'

import { AppError } from '../../domain/errors.ts'
import { keepChoice } from '../../feeds/choices.ts'
import { pageUrl } from '../../feeds/feed-address.ts'
import { openLinkAsSet } from '../../publishing/open-link.ts'
import type { HttpDeps } from '../http-deps.ts'
import { takePoll } from '../limits.ts'
import { isFromOwnPage } from './cross-site.ts'
import { sendMessagePage } from './error-page.ts'
import { type FeedPageRequest, isEnding } from './feed-page.ts'
import { basePath, type PageDeps } from './page-renderer.ts'
import { askedLanguage, languageQuery } from './preferred-language.ts'

type FeedFormDeps = PageDeps & Pick<HttpDeps, 'links' | 'limits' | 'feeds'>

/** `POST /feeds/{token}`: keeps what the person chose and leads back to the page (RFC 9110 section 15.4.4). */
export function changeFeedPage(deps: FeedFormDeps) {
  return async (request: FeedPageRequest, response: Response): Promise<void> => {
    if (!isFromOwnPage(request.headers, deps.publicUrl)) {
      const refusal = { status: 403, about: 'foreign_request' } as const
      return sendMessagePage(deps, request, response, refusal)
    }
    const { token } = request.params
    const open = await openLinkAsSet(deps.links, token)
    takePoll(deps.limits, open.link)
    if (isEnding(open)) throw new AppError('forbidden', 'This address is about to end.')
    await keepChoice(deps.feeds, open.feed.id, formOf(request))
    response.setHeader('Cache-Control', 'no-store')
    const page = pageUrl(basePath(deps.publicUrl), token)
    response.redirect(303, `${page}?saved${languageQuery('&', askedLanguage(request))}`)
  }
}

/** The form's fields; any other body would read as a form with every switch off. */
function formOf(request: Request<{ token: string }>): object {
  if (request.is('application/x-www-form-urlencoded')) return { ...request.body }
  throw new AppError('unsupported_media_type', 'The choice must be sent as a form.')
}
