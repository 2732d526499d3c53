import type { Request, RequestHandler } from 'express'

import { pageUrl } from '../../feeds/feed-address.ts'
import { basePath, type PageDeps } from './page-renderer.ts'
import { askedLanguage, languageQuery } from './preferred-language.ts'

/** What mails and chats glue onto an address that stands in a sentence, in brackets or before a line's end. */
const strayEnd = /^(cfb_[\w-]{43})[.,)>\s]{1,3}$/

/** Leads from the address of a page with such an end to the address itself, whether or not there is such a page. */
export function dropStrayEnd({ publicUrl }: PageDeps): RequestHandler<{ token: string }> {
  return (request, response, next) => {
    const token = strayEnd.exec(request.params.token)?.[1]
    if (token === undefined) return next()
    response.setHeader('Cache-Control', 'no-store')
    response.redirect(303, pageUrl(basePath(publicUrl), token) + languageOf(request))
  }
}

function languageOf(request: Pick<Request, 'query'>): string {
  return languageQuery('?', askedLanguage(request))
}
