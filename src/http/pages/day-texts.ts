import { memo } from '../../domain/memo.ts'
import type { DayEntry } from '../../publishing/first-days.ts'

const dayMs = 86_400_000
/** More than there are ways in which readers of all regions write. */
const formatsMax = 300

const formats = {
  heading: formatsOf({ weekday: 'long', day: 'numeric', month: 'long' }),
  hours: formatsOf({ timeStyle: 'short' }),
  days: formatsOf({ day: 'numeric', month: 'short' }),
  daysAndHours: formatsOf({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
} as const

type Style = keyof typeof formats

/** `Today, Monday 5 January`. */
export function dayHeading(
  language: string,
  day: number,
  today: number,
  todayWord: string,
): string {
  const text = isOtherYear(day, today)
    ? dayWithYear(language, day)
    : formatOf(language, 'heading', false).format(day)
  return day === today ? `${todayWord}, ${text}` : text
}

/** What stands behind the weekday is what stands there without the year: British English has a comma only with it. */
function dayWithYear(language: string, day: number): string {
  const parts = formatOf(language, 'heading', false).formatToParts(day)
  const behind = parts[parts.findIndex(({ type }) => type === 'weekday') + 1]
  const long = formatOf(language, 'heading', true).formatToParts(day)
  return long
    .map(({ value }, index) =>
      long[index - 1]?.type === 'weekday' ? (behind?.value ?? value) : value,
    )
    .join('')
}

/** The hours, or the days from first to last where it is longer. */
export function entryTime(
  language: string,
  { allDay, start, end, lengthMs }: DayEntry,
  today: number,
  allDayWord: string,
): string {
  const last = allDay ? end - dayMs : end
  const isLong = allDay ? last > start : lengthMs > dayMs || start < today
  if (isLong) {
    const style = allDay ? 'days' : 'daysAndHours'
    const range = formatOf(language, style, isOtherYear(last, today)).formatRange(start, last)
    return range.replace(/(\d)\s*–\s*(\d)/, '$1–$2')
  }
  if (allDay) return allDayWord
  const hours = formatOf(language, 'hours', false)
  return `${hours.format(start)}–${hours.format(end)}`
}

function isOtherYear(day: number, today: number): boolean {
  return new Date(day).getUTCFullYear() !== new Date(today).getUTCFullYear()
}

/** Wall-clock times are written as if they were those of UTC: one formatter does for all zones. */
function formatOf(language: string, style: Style, withYear: boolean): Intl.DateTimeFormat {
  return formats[style](`${language}${withYear ? ' with year' : ''}`)
}

function formatsOf(fields: Intl.DateTimeFormatOptions): (key: string) => Intl.DateTimeFormat {
  return memo(formatsMax, (key) => {
    const [language, withYear] = key.split(' ')
    const year = withYear === undefined ? {} : ({ year: 'numeric' } as const)
    return new Intl.DateTimeFormat(language, { ...fields, ...year, timeZone: 'UTC' })
  })
}
