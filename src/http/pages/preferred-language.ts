import type { Request } from 'express'

import type { Locale } from '../../domain/feed.ts'

/** The language of a page that belongs to no feed, as the browser asks for it (RFC 9110 section 12.5.4). */
export function preferredLanguage(request: Pick<Request, 'acceptsLanguages'>): Locale {
  return request.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en'
}
