/* Days and hours as the page writes them wherever they stand: in the list, in an event and in what it is served with. */

const dayMs = 24 * 60 * 60 * 1000
const dayFields = { weekday: 'long', day: 'numeric', month: 'long' }

/** `Monday 5 January`, or with its year; what stands behind the weekday is the same in both. */
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

/** The hours, or the days from first to last where it is longer. */
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

/** All that can be said of when an event is. */
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

/** The last day of an all-day event, which ends with the midnight after it. */
export function lastDay({ start, end }) {
  const last = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1)
  return last < start ? start : last
}

/** The last instant of what takes longest. */
export function endOfAll(events) {
  const ends = events.map((it) => (it.allDay ? lastDay(it) : Math.max(it.start, it.end - 1)))
  return new Date(Math.max(...ends))
}

function hour(instant, locale) {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(instant)
}

/** Some languages set their dash between spaces, which is too wide beside a title. */
function closeUp(range) {
  return range.replace(/(\d)\s*–\s*(\d)/, '$1–$2')
}
