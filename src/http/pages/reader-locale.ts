import type { Request } from 'express'

import { memo } from '../../domain/memo.ts'

/** More than there are regions of two letters, for each language of the pages. */
const tagsMax = 2000

/** How a reader writes times and counts the days of a week. */
export interface ReaderLocale {
  /** The page's language in the reader's region (RFC 5646), such as `en-US`. */
  readonly tag: string
  /** The first day of the week, Sunday being 0. */
  readonly firstDay: number
}

/**
 * The page's language with the region that the browser asks for first (RFC 9110 section 12.5.4): an English page is
 * read in Berlin by Berlin's clock and week. `usual` is for browsers that name no region.
 */
export function readerLocale(
  request: Pick<Request, 'acceptsLanguages'>,
  usual: string,
): ReaderLocale {
  const [language = usual] = usual.split('-')
  const [first = ''] = request.acceptsLanguages()
  const region = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i.exec(first)?.[1]
  const tag = region === undefined ? usual : `${language}-${region.toUpperCase()}`
  return { tag, firstDay: firstDayOf(tag) }
}

/**
 * The tag by whose rules that one is written: of many regions there are none. A formatter is made for each that is known,
 * not for each that a browser may name, since formatters are given back late or never.
 */
export const writtenAs = memo(
  tagsMax,
  (tag: string) => new Intl.DateTimeFormat(tag).resolvedOptions().locale,
)

function firstDayOf(tag: string): number {
  const locale: LocaleWithWeek = new Intl.Locale(tag)
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7
}

/** ECMA-402's week of a locale, which TypeScript does not know yet. */
interface LocaleWithWeek extends Intl.Locale {
  readonly getWeekInfo?: () => { readonly firstDay: number }
}
