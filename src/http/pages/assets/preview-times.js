/* Formats days and hours for the list and the event dialog, in the same form as the server's first days. */

const dayMs = 24 * 60 * 60 * 1000
const dayFields = { weekday: 'long', day: 'numeric', month: 'long' }

/** `Monday 5 January`, optionally with the year; the separator after the weekday is the same in both. */
export function dayText(day, locale, withYear) {
  const parts = new Intl.DateTimeFormat(locale, dayFields).formatToParts(day)
  if (!withYear) return parts.map(({ value }) => value).join('')
  const long = new Intl.DateTimeFormat(locale, { ...dayFields, year: 'numeric' }).formatToParts(day)
  const behind = parts.at(parts.findIndex(({ type }) => type === 'weekday') + 1)
  return long
    .map(({ value }, index) =>
      long[index - 1]?.type === 'weekday' ? (behind?.value ?? value) : value,
    )
    .join('')
}

/** Returns the hours, or the first and last day of a longer event. */
export function timeText(event, { words, locale }, today) {
  const { start, end, allDay } = event
  const last = allDay ? lastDay(event) : end
  const isLong = allDay ? last > start : end - start > dayMs || start < today
  if (!isLong) return allDay ? words.allDay : `${hour(start, locale)}–${hour(end, locale)}`
  const day = {
    day: 'numeric',
    month: 'short',
    ...(!isSameYear(last, today) && { year: 'numeric' }),
  }
  const time = allDay ? {} : { hour: 'numeric', minute: '2-digit' }
  return closeUp(new Intl.DateTimeFormat(locale, { ...day, ...time }).formatRange(start, last))
}

export function whenText(event, { words, locale }) {
  const { start, end, allDay } = event
  const last = allDay ? lastDay(event) : end
  const [from, until] = [start, last].map((day) => dayText(day, locale, true))
  if (allDay) return `${from === until ? from : `${from} – ${until}`}, ${words.allDay}`
  return from === until
    ? `${from}, ${hour(start, locale)}–${hour(end, locale)}`
    : `${from}, ${hour(start, locale)} – ${until}, ${hour(end, locale)}`
}

export function isSameYear(day, today) {
  return day.getFullYear() === today.getFullYear()
}

/** An all-day event ends at the midnight after this day. */
export function lastDay({ start, end }) {
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1)
  return last < start ? start : last
}

/** Returns the end of the event that ends last; of an all-day event, its last day. */
export function endOfAll(events) {
  const ends = events.map((it) => (it.allDay ? lastDay(it) : Math.max(it.start, it.end - 1)))
  return new Date(Math.max(...ends))
}

function hour(instant, locale) {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(instant)
}

/** Some languages put spaces around the dash, which is too wide beside a title. */
function closeUp(range) {
  return range.replace(/(\d)\s*–\s*(\d)/, '$1–$2')
}
