import type { Locale } from '../../domain/feed.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Words } from './words.ts'

/** Every language a calendar can be in. */
export const languages: Readonly<Record<Locale, Words>> = { en, de }
