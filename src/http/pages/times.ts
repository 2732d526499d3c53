/* Formats times for pages. Formatters are expensive and freed late, so each is created once. */
import type { Request } from 'express'

import { memo } from '../../domain/memo.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import { dayMs, hourMs, minuteMs, type Instant } from '../../domain/world.ts'
import type { DayEntry } from '../../publishing/first-days.ts'

/** More than the formats that readers of all regions need. */
const formatsMax = 500
/** More than all two-letter regions, for each language of the pages. */
const tagsMax = 2000

/** Times in the calendar's zone, in the reader's language. */
export interface PageTimes {
  /** `10:02`, with the day unless it is today. */
  at(instant: Instant): string
  /** `3 hours ago`. */
  ago(instant: Instant): string
  /** Whether it is less than a minute ago. */
  isNow(instant: Instant): boolean
  /** `21 November 2026`. */
  date(instant: Instant): string
  /** The date in the zone now. */
  readonly today: PlainDate
}

/** `language` is an RFC 5646 tag. */
export function pageTimes(now: Instant, timezone: string, language: string): PageTimes {
  const { time, date, relative, plain } = zoneFormats(`${language} ${timezone}`)
  return {
    at: (instant) =>
      date.format(instant) === date.format(now)
        ? time.format(instant)
        : `${date.format(instant)}, ${time.format(instant)}`,
    ago: (instant) => {
      const ms = Math.max(0, now - instant)
      if (ms < hourMs) return relative.format(-Math.floor(ms / minuteMs), 'minute')
      if (ms < 2 * dayMs) return relative.format(-Math.floor(ms / hourMs), 'hour')
      return relative.format(-Math.floor(ms / dayMs), 'day')
    },
    isNow: (instant) => now - instant < minuteMs,
    date: (instant) => date.format(instant),
    today: plain.format(now),
  }
}

const zoneFormats = memo(formatsMax, (key: string) => {
  const [language, timeZone] = key.split(' ')
  return {
    time: new Intl.DateTimeFormat(language, { timeZone, timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
    // Swedish dates are ISO 8601.
    plain: new Intl.DateTimeFormat('sv-SE', { timeZone }),
  }
})

const dayFields = {
  weekday: { weekday: 'short' },
  heading: { weekday: 'long', day: 'numeric', month: 'long' },
  months: { month: 'long', year: 'numeric' },
  hours: { timeStyle: 'short' },
  days: { day: 'numeric', month: 'short' },
  daysAndHours: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
} as const

/** Wall-clock times are formatted as if in UTC, so one formatter serves all zones. */
function dayFormat(
  language: string,
  style: keyof typeof dayFields,
  withYear = false,
): Intl.DateTimeFormat {
  return dayFormats[style](`${language}${withYear ? ' year' : ''}`)
}

const dayFormats = {
  weekday: formatsOf('weekday'),
  heading: formatsOf('heading'),
  months: formatsOf('months'),
  hours: formatsOf('hours'),
  days: formatsOf('days'),
  daysAndHours: formatsOf('daysAndHours'),
} as const

function formatsOf(style: keyof typeof dayFields): (key: string) => Intl.DateTimeFormat {
  return memo(formatsMax, (key) => {
    const [language, withYear] = key.split(' ')
    const year = withYear === undefined ? {} : ({ year: 'numeric' } as const)
    return new Intl.DateTimeFormat(language, { ...dayFields[style], ...year, timeZone: 'UTC' })
  })
}

export function dayHeading(
  language: string,
  day: number,
  today: number,
  todayWord: string,
): string {
  const text = isOtherYear(day, today)
    ? dayWithYear(language, day)
    : dayFormat(language, 'heading').format(day)
  return day === today ? `${todayWord}, ${text}` : text
}

/** `2–12 Jan`, with the year if it is not this year. */
export function dateRange(
  language: string,
  first: PlainDate,
  last: PlainDate,
  today: PlainDate,
): string {
  const [from, until] = [Date.parse(first), Date.parse(last)]
  const now = Date.parse(today)
  const withYear = isOtherYear(from, now) || isOtherYear(until, now)
  return dayFormat(language, 'days', withYear)
    .formatRange(from, until)
    .replace(/(\d)\s*–\s*(\d)/, '$1–$2')
}

/** `2 Jan 2027`. */
export function dateWithYear(language: string, date: PlainDate): string {
  return dayFormat(language, 'days', true).format(Date.parse(date))
}

/** `Mon`. */
export function weekdayName(language: string, date: PlainDate): string {
  return dayFormat(language, 'weekday').format(Date.parse(date))
}

/** `January 2027`. */
export function monthName(language: string, date: PlainDate): string {
  return dayFormat(language, 'months').format(Date.parse(date))
}

/** Uses the same separator after the weekday with and without the year: British English adds a comma only with it. */
function dayWithYear(language: string, day: number): string {
  const short = dayFormat(language, 'heading').formatToParts(day)
  const separator = short[short.findIndex(({ type }) => type === 'weekday') + 1]
  const long = dayFormat(language, 'heading', true).formatToParts(day)
  return long
    .map(({ value }, index) =>
      long[index - 1]?.type === 'weekday' ? (separator?.value ?? value) : value,
    )
    .join('')
}

/** Returns the hours, or the first and last day of a longer entry. */
export function entryTime(
  language: string,
  { allDay, start, end, lengthMs }: Pick<DayEntry, 'allDay' | 'start' | 'end' | 'lengthMs'>,
  today: number,
  allDayWord: string,
): string {
  const last = allDay ? end - dayMs : end
  const isLong = allDay ? last > start : lengthMs > dayMs || start < today
  if (isLong) {
    const style = allDay ? 'days' : 'daysAndHours'
    const range = dayFormat(language, style, isOtherYear(last, today)).formatRange(start, last)
    return range.replace(/(\d)\s*–\s*(\d)/, '$1–$2')
  }
  if (allDay) return allDayWord
  const hours = dayFormat(language, 'hours')
  return `${hours.format(start)}–${hours.format(end)}`
}

function isOtherYear(day: number, today: number): boolean {
  return new Date(day).getUTCFullYear() !== new Date(today).getUTCFullYear()
}

/** How a reader writes times, and the first day of their week. */
export interface ReaderLocale {
  /** The page's language in the reader's region (RFC 5646), such as `en-US`. */
  readonly tag: string
  /** First day of the week; Sunday is 0. */
  readonly firstDay: number
}

/**
 * Returns the page's language with the region in the browser's first language (RFC 9110 section 12.5.4). An English page
 * read in Berlin uses German times and weeks. `usual` is for browsers that name no region.
 */
export function readerLocale(
  request: Pick<Request, 'acceptsLanguages'>,
  usual: string,
): ReaderLocale {
  const [language = usual] = usual.split('-')
  const [first = ''] = request.acceptsLanguages()
  const region = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i.exec(first)?.[1]
  const tag = region === undefined ? usual : `${language}-${region.toUpperCase()}`
  // Week data of ECMA-402, not yet in TypeScript's types.
  const locale: Intl.Locale & { readonly getWeekInfo?: () => { readonly firstDay: number } } =
    new Intl.Locale(tag)
  return { tag, firstDay: (locale.getWeekInfo?.().firstDay ?? 1) % 7 }
}

/** Returns the tag with the formats for this one. Many regions have no formats of their own, so fewer formatters are created. */
export const writtenAs = memo(
  tagsMax,
  (tag: string) => new Intl.DateTimeFormat(tag).resolvedOptions().locale,
)
