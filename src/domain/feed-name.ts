import type { Feed, Locale } from './feed.ts'

const words: Readonly<Record<Locale, (firstName: string) => string>> = {
  en: (firstName) => (firstName === '' ? 'Work calendar' : `${firstName}'s work calendar`),
  de: (firstName) =>
    firstName === '' ? 'Arbeitskalender' : `${genitive(firstName)} Arbeitskalender`,
}

/** The name of a calendar that nobody has named, after its person or, with an empty text, after nobody. */
export function defaultName(firstName: string, locale: Locale): string {
  return words[locale](firstName)
}

/** German: `Adas`, but `Jonas'`. */
function genitive(name: string): string {
  return /(?:[sßxz]|ce)$/i.test(name) ? `${name}'` : `${name}s`
}

type Named = Pick<Feed, 'locale'> & Partial<Pick<Feed, 'name' | 'namedAfter'>>

/** The feed in that language; its name follows if nobody has set one. */
export function inLanguage<T extends Named>(feed: T, locale: Locale): T {
  const { namedAfter } = feed
  if (locale === feed.locale) return feed
  if (namedAfter === null || namedAfter === undefined) return { ...feed, locale }
  return { ...feed, locale, name: defaultName(namedAfter, locale) }
}

/** All names under which an earlier creation of the same calendar may be kept. */
export function namesOf({
  name,
  namedAfter,
}: Pick<Feed, 'name' | 'namedAfter'>): readonly string[] {
  if (namedAfter === null) return [name]
  // The German name until release 0.1.
  const before = namedAfter === '' ? [] : [`Arbeitskalender von ${namedAfter}`]
  return [...Object.values(words).map((write) => write(namedAfter)), ...before]
}
