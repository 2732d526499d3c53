/** All that an event says. */
export function openEvent(event, { words, locale, language }) {
  const dialog = document.querySelector('#event')
  dialog.querySelector('.when').textContent = whenOf(event, words, locale)
  const title = dialog.querySelector('h3')
  const description = dialog.querySelector('.description')
  title.textContent = event.title
  description.textContent = event.description
  title.lang = language
  description.lang = language
  dialog.showModal()
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

function whenOf(event, words, locale) {
  const { start, end, allDay } = event
  const style = allDay ? { dateStyle: 'full' } : { dateStyle: 'full', timeStyle: 'short' }
  const range = new Intl.DateTimeFormat(locale, style).formatRange(
    start,
    allDay ? lastDay(event) : end,
  )
  return allDay ? `${range}, ${words.allDay}` : range
}
