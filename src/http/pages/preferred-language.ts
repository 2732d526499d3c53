import type { Request } from 'express'

import { type Locale, locales } from '../../domain/feed.ts'

/** The language of a page that belongs to no feed, as the browser asks for it (RFC 9110 section 12.5.4). */
export function preferredLanguage(request: Pick<Request, 'acceptsLanguages'>): Locale {
  const accepted = request.acceptsLanguages(...locales)
  return locales.find((locale) => locale === accepted) ?? locales[0]
}
