import type { Locale } from '../../../domain/feed.ts'
import { deFeed } from './de-feed.ts'
import { deSite } from './de-site.ts'
import { enFeed } from './en-feed.ts'
import { enSite } from './en-site.ts'

/** Everything that the pages say in one language; plain text, escaped where it is written. */
export type PageWords = typeof enFeed & typeof enSite

/** Every language a page can be in. */
export const pageLanguages: Readonly<Record<Locale, PageWords>> = {
  en: { ...enFeed, ...enSite },
  de: { ...deFeed, ...deSite },
}

/** The languages, each by its own name. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch' }

/** What keeps a page from being shown. */
export type PageError = keyof PageWords['errors']
