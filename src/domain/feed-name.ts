import { readOptions } from './feed-options.ts'
import { type Feed, type Locale, programLocale } from './feed.ts'

const words: Readonly<Record<Locale, (firstName: string) => string>> = {
  en: (firstName) => (firstName === '' ? 'Work calendar' : `${firstName}'s work calendar`),
  de: (firstName) =>
    firstName === '' ? 'Arbeitskalender' : `${genitive(firstName)} Arbeitskalender`,
}

const firstNamePlace = '{firstName}'

/**
 * The name of a calendar that nobody has named, after its person or, with an empty text, after nobody; `template` is the
 * company's default.
 */
export function defaultName(
  firstName: string,
  locale: Locale,
  template: string | null = null,
): string {
  const isFit = template !== null && (firstName !== '' || !template.includes(firstNamePlace))
  return isFit ? template.replaceAll(firstNamePlace, () => firstName) : words[locale](firstName)
}

/** German: `Adas`, but `Jonas'`. */
function genitive(name: string): string {
  return /(?:[sßxz]|ce)$/i.test(name) ? `${name}'` : `${name}s`
}

type Named = Pick<Feed, 'locale'> & Partial<Pick<Feed, 'name' | 'namedAfter' | 'defaults'>>

/** The feed in that language; its name follows if nobody has set one. */
export function inLanguage<T extends Named>(feed: T, locale: Locale): T {
  const { namedAfter, defaults } = feed
  if (locale === feed.locale) return feed
  if (namedAfter === null || namedAfter === undefined) return { ...feed, locale }
  return { ...feed, locale, name: defaultName(namedAfter, locale, defaults?.name) }
}

/** The feed with what follows from its own settings and the company's defaults. */
export function withDefaults(feed: Omit<Feed, 'options'>): Feed {
  const { audience, namedAfter, defaults, isLocaleSet, ownOptions } = feed
  const inItsLanguage = isLocaleSet ? feed : inLanguage(feed, defaults.locale ?? programLocale)
  const { locale, name } = inItsLanguage
  const isUsual = namedAfter !== null && defaults.name !== null
  return {
    ...inItsLanguage,
    name: isUsual ? defaultName(namedAfter, locale, defaults.name) : name,
    options: readOptions(audience, defaults[audience], ownOptions),
  }
}

/** What is kept of name and language: the company's defaults are not part of it. */
export function withoutDefaults(feed: Feed): Pick<Feed, 'name' | 'locale'> {
  const { namedAfter, defaults, isLocaleSet, name } = feed
  const locale = isLocaleSet ? feed.locale : programLocale
  const isAsNamed = namedAfter === null || (locale === feed.locale && defaults.name === null)
  return { locale, name: isAsNamed ? name : defaultName(namedAfter, locale) }
}

/** All names under which an earlier creation of the same calendar may be kept. */
export function namesOf({
  name,
  namedAfter,
}: Pick<Feed, 'name' | 'namedAfter'>): readonly string[] {
  if (namedAfter === null) return [name]
  // The German name until release 0.1.
  const before = namedAfter === '' ? [] : [`Arbeitskalender von ${namedAfter}`]
  const usual = Object.values(words).map((write) => write(namedAfter))
  return [...new Set([name, ...usual, ...before])]
}

/** The calendar that a colleague would get about the feed's people, as the company sets it for others. */
export function asOthersSee(feed: Feed): Feed {
  if (feed.audience === 'others') return feed
  const { scheduleIds, rotation } = feed.options.shifts
  const shifts = { scheduleIds, ...(rotation && { rotation }) }
  return withDefaults({ ...feed, audience: 'others', ownOptions: { shifts } })
}
