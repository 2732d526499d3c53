import { type Feed, type Locale, locales } from './feed.ts'

export const firstNamePlace = '{firstName}'

interface UsualName {
  readonly ofNobody: string
  /** In German the second after a sibilant: `Adas`, but `Jonas'`. */
  readonly templates: readonly [string, afterSibilant: string]
}

const usual: Readonly<Record<Locale, UsualName>> = {
  en: {
    ofNobody: 'Work calendar',
    templates: ["{firstName}'s work calendar", "{firstName}'s work calendar"],
  },
  de: {
    ofNobody: 'Arbeitskalender',
    templates: ['{firstName}s Arbeitskalender', "{firstName}' Arbeitskalender"],
  },
}

const usualOfTeam: typeof usual = {
  en: { ofNobody: 'Team', templates: ["{firstName}'s team", "{firstName}'s team"] },
  de: { ofNobody: 'Team', templates: ['{firstName}s Team', "{firstName}' Team"] },
}

function usualName(firstName: string, locale: Locale, names = usual): string {
  const { ofNobody, templates } = names[locale]
  if (firstName === '') return ofNobody
  return filled(templates[/(?:[sßxz]|ce)$/i.test(firstName) ? 1 : 0], firstName)
}

function filled(template: string, firstName: string): string {
  return template.replaceAll(firstNamePlace, () => firstName)
}

type NameOf = Pick<Feed, 'locale'> & Partial<Pick<Feed, 'team' | 'defaults'>>

/**
 * The name of a calendar that nobody has named, after its person or the manager of its team, or, with an empty text, after
 * nobody. The company's default is for people, not for teams.
 */
export function defaultName(firstName: string, { locale, team, defaults }: NameOf): string {
  if (team) return usualName(firstName, locale, usualOfTeam)
  const template = defaults?.name ?? null
  const isFit = template !== null && (firstName !== '' || !template.includes(firstNamePlace))
  return isFit ? filled(template, firstName) : usualName(firstName, locale)
}

type Named = NameOf & Partial<Pick<Feed, 'name' | 'namedAfter'>>

/** The feed in that language; its name follows if nobody has set one. */
export function inLanguage<T extends Named>(feed: T, locale: Locale): T {
  const { namedAfter } = feed
  if (locale === feed.locale) return feed
  if (namedAfter === null || namedAfter === undefined) return { ...feed, locale }
  return { ...feed, locale, name: defaultName(namedAfter, { ...feed, locale }) }
}

/** The names that the program gives, or gave, to calendars of that person or their team. */
export function usualNames(namedAfter: string, team: Feed['team'] | undefined): readonly string[] {
  if (team) return locales.map((locale) => usualName(namedAfter, locale, usualOfTeam))
  // The German name until release 0.1.
  const before = namedAfter === '' ? [] : [`Arbeitskalender von ${namedAfter}`]
  return [...locales.map((locale) => usualName(namedAfter, locale)), ...before]
}

/** All names under which an earlier creation of the same calendar may be kept. */
export function namesOf({
  name,
  namedAfter,
  team,
}: Pick<Feed, 'name' | 'namedAfter'> & Partial<Pick<Feed, 'team'>>): readonly string[] {
  return namedAfter === null ? [name] : [...new Set([name, ...usualNames(namedAfter, team)])]
}

/** Whether two feeds of the same people have the same name; a default name counts in every language. */
export function isOfSameName(
  one: Parameters<typeof namesOf>[0],
  other: Parameters<typeof namesOf>[0],
): boolean {
  const names = namesOf(other)
  return namesOf(one).some((name) => names.includes(name))
}

/** Every form of the program's name in that language for the calendar of a person. */
export function usualTemplates(locale: Locale): readonly string[] {
  return [...new Set(usual[locale].templates)]
}
