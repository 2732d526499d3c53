import type { Locale } from '../../../domain/feed.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { PageWords } from './words.ts'

/** Every language a page can be in. */
export const pageLanguages: Readonly<Record<Locale, PageWords>> = { en, de }
