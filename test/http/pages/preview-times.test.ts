/* Times as the preview writes them, in the list and in the dialog of an event. */
import { expect, it } from 'vitest'

import { dayHeading } from '../../../src/http/pages/times.ts'

interface Span {
  readonly start: Date
  readonly end: Date
  readonly allDay: boolean
}

interface Writing {
  readonly words: { readonly allDay: string }
  readonly locale: string
}

/** What browsers load; it needs nothing of theirs. */
interface PreviewTimes {
  readonly dayText: (day: Date, locale: string, withYear: boolean) => string
  readonly timeText: (event: Span, writing: Writing, today: Date) => string
  readonly whenText: (event: Span, writing: Writing) => string
}

const script = new URL('../../../src/http/pages/assets/preview-times.js', import.meta.url).href
const { dayText, timeText, whenText } = (await import(script)) as PreviewTimes

const words = { allDay: 'all day' }
const today = new Date(2026, 0, 12)
const nextYear = [2027, 0, 1] as const

function shift(from: number, until: number): Span {
  return { start: new Date(2026, 0, 13, from), end: new Date(2026, 0, 13, until), allDay: false }
}

it.each([
  ['en-GB', '09:00–17:00', 'Tuesday 13 January 2026, 09:00–17:00'],
  ['de-DE', '09:00–17:00', 'Dienstag, 13. Januar 2026, 09:00–17:00'],
  ['en-US', '9:00 AM–5:00 PM', 'Tuesday, January 13, 2026, 9:00 AM–5:00 PM'],
])('%s: list and dialog write the hours alike', (locale, hours, when) => {
  expect(timeText(shift(9, 17), { words, locale }, today)).toBe(hours)
  expect(whenText(shift(9, 17), { words, locale })).toBe(when)
})

it('the year adds no comma to a day', () => {
  const [short, long] = [false, true].map((withYear) => dayText(today, 'en-GB', withYear))
  expect([short, long]).toEqual(['Monday 12 January', 'Monday 12 January 2026'])
})

it('an event past midnight names both days, and whole days name the first and the last', () => {
  const night = shift(22, 30)
  expect(whenText(night, { words, locale: 'en-GB' })).toBe(
    'Tuesday 13 January 2026, 22:00 – Wednesday 14 January 2026, 06:00',
  )
  expect(timeText(night, { words, locale: 'en-GB' }, today)).toBe('22:00–06:00')
  const leave = { start: new Date(2026, 0, 13), end: new Date(2026, 0, 15), allDay: true }
  expect(whenText(leave, { words, locale: 'en-GB' })).toBe(
    'Tuesday 13 January 2026 – Wednesday 14 January 2026, all day',
  )
})

it.each(['en-GB', 'en-IE', 'en-US', 'de-AT', 'fr-FR', 'ja-JP', 'hu-HU', 'ar-EG'])(
  '%s: page and script write a day with its year alike',
  (locale) => {
    const byScript = dayText(new Date(...nextYear), locale, true)
    expect(dayHeading(locale, Date.UTC(...nextYear), Date.UTC(2026, 0, 12), '')).toBe(byScript)
  },
)
