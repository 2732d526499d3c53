/* Public holidays of countries, states and regions, as the package `date-holidays` knows them. */
import { createRequire } from 'node:module'

import type Holidays from 'date-holidays'

import { memo } from '../domain/memo.ts'
import { dayNumber, plainDate, type PlainDate } from '../domain/plain-date.ts'
import { hourMs } from '../domain/world.ts'

/** The package takes 37 MB, so it is loaded only where holidays are asked for, and at once. */
const load: (name: 'date-holidays') => typeof Holidays = createRequire(import.meta.url)

const placesMax = 50
const yearsMax = 500

/** Rules are read in UTC, where every day has 24 hours; their dates are those of the place. */
const holidaysAt = memo(placesMax, (place: string) => {
  return new (load('date-holidays'))(place, { timezone: 'UTC' })
})

/**
 * Returns the days off of all these places, in order: the date, and the names in the language of the place. `first` and
 * `last` are included. Substitute days count; bank holidays, observances, and holidays that begin or end within a day do
 * not count for that day.
 */
export function holidaysIn(
  places: readonly string[],
  first: PlainDate,
  last: PlainDate,
): ReadonlyMap<PlainDate, string> {
  const names = new Map<PlainDate, Set<string>>()
  // Substitute days and holidays of several days reach into the next year, or into the one before.
  for (let year = yearOf(first) - 1; year <= yearOf(last) + 1; year += 1) {
    for (const [date, name] of places.flatMap((place) => daysOff(`${place} ${year}`))) {
      if (date < first || date > last) continue
      names.set(date, (names.get(date) ?? new Set()).add(name))
    }
  }
  return new Map(
    [...names]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([date, all]) => [date, [...all].join(' / ')]),
  )
}

function yearOf(date: PlainDate): number {
  return Number(date.slice(0, 4))
}

const daysOff = memo(yearsMax, (placeAndYear: string) => {
  const [place = '', year = ''] = placeAndYear.split(' ')
  return holidaysAt(place)
    .getHolidays(year)
    .filter(({ type }) => type === 'public')
    .flatMap(wholeDays)
})

const holidayDate = /^(\d{4}-\d\d-\d\d) (\d\d):(\d\d)/

/** Days of other calendars begin at sunset, but their date is that of the following morning, when the day off begins. */
function wholeDays({ date, start, end, name }: Holiday): readonly (readonly [PlainDate, string])[] {
  const [, day = '', hour, minute] = holidayDate.exec(date) ?? []
  const begin = Number(hour) + Number(minute) / 60
  const finish = begin + (end.getTime() - start.getTime()) / hourMs
  const days = []
  for (let index = Math.ceil(begin / 24); index < Math.floor(finish / 24); index += 1) {
    days.push([plainDate(dayNumber(day) + index), name] as const)
  }
  return days
}

type Holiday = ReturnType<Holidays['getHolidays']>[number]

/** Whether there are holidays for this place: a country, state or region, such as `DE`, `DE-BY` or `US-LA-NO`. */
export function isHolidayPlace(place: string): boolean {
  return holidayPlaces(placeAround(place)).includes(place)
}

/** Returns the places within a place; for none, the countries. Empty for an unknown place and the smallest ones. */
export function holidayPlaces(within: string): readonly string[] {
  const [country = '', state = '', ...more] = within.split('-')
  if (more.length > 0) return []
  const known = holidaysAt('')
  if (country === '') return Object.keys(known.getCountries())
  // The package returns undefined where there are none, and has no rules for names with small letters.
  const inner = state === '' ? known.getStates(country) : known.getRegions(country, state)
  return Object.keys({ ...inner })
    .filter((name) => name === name.toUpperCase())
    .map((name) => `${within}-${name}`)
}

/** Returns the place that contains this one; empty for a country. */
export function placeAround(place: string): string {
  return place.split('-').slice(0, -1).join('-')
}
