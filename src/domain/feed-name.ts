import { readOptions } from './feed-options.ts'
import { type Feed, type Locale, programLocale } from './feed.ts'

const words: Readonly<Record<Locale, (firstName: string) => string>> = {
  en: (firstName) => (firstName === '' ? 'Work calendar' : `${firstName}'s work calendar`),
  de: (firstName) =>
    firstName === '' ? 'Arbeitskalender' : `${genitive(firstName)} Arbeitskalender`,
}

const teamWords: typeof words = {
  en: (firstName) => (firstName === '' ? 'Team' : `${firstName}'s team`),
  de: (firstName) => (firstName === '' ? 'Team' : `${genitive(firstName)} Team`),
}

const firstNamePlace = '{firstName}'

type NameOf = Pick<Feed, 'locale'> & Partial<Pick<Feed, 'team' | 'defaults'>>

/**
 * The name of a calendar that nobody has named, after its person or the manager of its team, or, with an empty text, after
 * nobody. The company's default is for people, not for teams.
 */
export function defaultName(firstName: string, { locale, team, defaults }: NameOf): string {
  if (team) return teamWords[locale](firstName)
  const template = defaults?.name ?? null
  const isFit = template !== null && (firstName !== '' || !template.includes(firstNamePlace))
  return isFit ? template.replaceAll(firstNamePlace, () => firstName) : words[locale](firstName)
}

/** German: `Adas`, but `Jonas'`. */
function genitive(name: string): string {
  return /(?:[sßxz]|ce)$/i.test(name) ? `${name}'` : `${name}s`
}

type Named = NameOf & Partial<Pick<Feed, 'name' | 'namedAfter'>>

/** The feed in that language; its name follows if nobody has set one. */
export function inLanguage<T extends Named>(feed: T, locale: Locale): T {
  const { namedAfter } = feed
  if (locale === feed.locale) return feed
  if (namedAfter === null || namedAfter === undefined) return { ...feed, locale }
  return { ...feed, locale, name: defaultName(namedAfter, { ...feed, locale }) }
}

/** The feed with what follows from its own settings and the company's defaults. */
export function withDefaults(feed: Omit<Feed, 'options'>): Feed {
  const { audience, namedAfter, defaults, isLocaleSet, ownOptions } = feed
  const inItsLanguage = isLocaleSet ? feed : inLanguage(feed, defaults.locale ?? programLocale)
  const isUsual = namedAfter !== null && defaults.name !== null
  return {
    ...inItsLanguage,
    name: isUsual ? defaultName(namedAfter, inItsLanguage) : inItsLanguage.name,
    options: readOptions(audience, defaults[audience], ownOptions),
  }
}

/** What is kept of name and language: the company's defaults are not part of it. */
export function withoutDefaults(feed: Feed): Pick<Feed, 'name' | 'locale'> {
  const { namedAfter, team, defaults, isLocaleSet, name } = feed
  const locale = isLocaleSet ? feed.locale : programLocale
  const isAsNamed = namedAfter === null || (locale === feed.locale && defaults.name === null)
  return { locale, name: isAsNamed ? name : defaultName(namedAfter, { locale, team }) }
}

/** All names under which an earlier creation of the same calendar may be kept. */
export function namesOf({
  name,
  namedAfter,
  team,
}: Pick<Feed, 'name' | 'namedAfter'> & Partial<Pick<Feed, 'team'>>): readonly string[] {
  if (namedAfter === null) return [name]
  if (team) return [name, ...Object.values(teamWords).map((write) => write(namedAfter))]
  // The German name until release 0.1.
  const before = namedAfter === '' ? [] : [`Arbeitskalender von ${namedAfter}`]
  const usual = Object.values(words).map((write) => write(namedAfter))
  return [...new Set([name, ...usual, ...before])]
}
