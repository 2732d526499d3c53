import type { Request } from 'express'

import { type Locale, locales } from '../../domain/feed.ts'

/** The language of a page that belongs to no feed: as its address says, else as the browser asks for it (RFC 9110 section 12.5.4). */
export function preferredLanguage(request: Pick<Request, 'acceptsLanguages' | 'query'>): Locale {
  const accepted = request.acceptsLanguages(...locales)
  return askedLanguage(request) ?? locales.find((locale) => locale === accepted) ?? locales[0]
}

/** The language that the reader has chosen for the page: `?lang=de` in its address. */
export function askedLanguage({ query }: Pick<Request, 'query'>): Locale | undefined {
  return locales.find((locale) => locale === query['lang'])
}

/** Keeps the chosen language in an address of the page, behind that sign. */
export function languageQuery(sign: '?' | '&', asked: Locale | undefined): string {
  return asked === undefined ? '' : `${sign}lang=${asked}`
}
