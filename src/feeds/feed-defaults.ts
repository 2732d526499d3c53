import { AppError } from '../domain/errors.ts'
import type { Audience, OwnOptions } from '../domain/feed-options.ts'
import type { Locale } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import type { CompanyLookup } from './company-lookup.ts'

/** The language of a feed where none is named. */
export const defaultLocale: Locale = 'en'

/** "{first name}'s work calendar" of an own feed, in the language of the feed. */
export function defaultName(users: readonly User[], audience: Audience, locale: Locale): string {
  const firstName = audience === 'own' ? users[0]?.firstName?.trim() : undefined
  const { named, unnamed } = names[locale]
  return firstName ? named(firstName) : unnamed
}

interface NameWords {
  readonly named: (firstName: string) => string
  readonly unnamed: string
}

const names: Readonly<Record<Locale, NameWords>> = {
  en: { named: (firstName) => `${firstName}'s work calendar`, unnamed: 'Work calendar' },
  de: { named: (firstName) => `Arbeitskalender von ${firstName}`, unnamed: 'Arbeitskalender' },
}

/** The options with the company's schedules, where they name none; unchanged, with the failure, where those cannot be read. */
export async function fillSchedules(
  ownOptions: OwnOptions,
  lookup: CompanyLookup,
): Promise<{ readonly ownOptions: OwnOptions; readonly failure?: AppError }> {
  if (ownOptions.shifts?.scheduleIds) return { ownOptions }
  const scheduleIds = await lookup.defaultSchedules()
  if (scheduleIds instanceof AppError) return { ownOptions, failure: scheduleIds }
  return { ownOptions: { ...ownOptions, shifts: { ...ownOptions.shifts, scheduleIds } } }
}
