import { memo } from '../../domain/memo.ts'
import type { Instant } from '../../domain/world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const formatsMax = 500

/** Times as a page writes them: by the calendar's clock and in its language. */
export interface PageTimes {
  /** `10:02`, with the day where it is another than today's. */
  at(instant: Instant): string
  /** `3 hours ago`. */
  ago(instant: Instant): string
  /** `21 November 2026`. */
  date(instant: Instant): string
}

/** `language` is a tag of RFC 5646. */
export function pageTimes(now: Instant, timezone: string, language: string): PageTimes {
  const { time, date, relative } = formatsOf(`${language} ${timezone}`)
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
    date: (instant) => date.format(instant),
  }
}

const formatsOf = memo(formatsMax, (key: string) => {
  const [language, timeZone] = key.split(' ')
  return {
    time: new Intl.DateTimeFormat(language, { timeZone, timeStyle: 'short' }),
    date: new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  }
})
