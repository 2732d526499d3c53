/* global FullCalendar */
/* Shows the very calendar that programs subscribe to. */
import { readEvents } from './preview-events.js'

const listView = {
  type: 'list',
  duration: { days: 14 },
  titleFormat: { day: 'numeric', month: 'short', year: 'numeric' },
  eventInteractive: false,
  listDaysClass: 'list-days',
  listDayClass: 'list-day',
  listDayBodyClass: 'list-events',
  listDayHeaderClass: 'list-date',
  listItemEventClass: 'list-event',
  listDayFormat: { weekday: 'long' },
  listDayAltFormat: { day: 'numeric', month: 'long' },
}

const monthView = {
  dayMaxEvents: 4,
  eventInteractive: true,
  rowEventTitleClass: 'month-title',
  dayHeaderDidMount: nameByContent,
  dayCellDidMount: nameByContent,
}

const element = document.querySelector('#calendar')
if (element) await show(element)

async function show(place) {
  const words = JSON.parse(place.dataset.words)
  const state = place.querySelector('.state')
  state.hidden = false
  try {
    const response = await fetch(place.dataset.address)
    if (!response.ok) throw new Error(String(response.status))
    const events = readEvents(await response.text())
    render(place, events, words)
    state.remove()
  } catch {
    state.textContent = words.failed
  }
}

function render(place, events, words) {
  const isWide = matchMedia('(min-width: 48rem)').matches
  const locale = deviceLocale()
  const calendar = new FullCalendar.Calendar(place, {
    events,
    locale,
    firstDay: firstDayOf(locale),
    initialView: isWide ? 'dayGridMonth' : 'listWeeks',
    height: 'auto',
    views: { listWeeks: listView, dayGridMonth: monthView },
    eventDisplay: 'block',
    nextDayThreshold: '09:00',
    eventTimeFormat: { hour: 'numeric', minute: '2-digit' },
    headerToolbar: {
      start: 'title',
      end: `listWeeks,dayGridMonth ${isWide ? 'today ' : ''}prev,next`,
    },
    buttons: {
      listWeeks: { text: words.list, hint: words.list },
      dayGridMonth: { text: words.month, hint: words.month },
      today: { text: words.today, hint: words.today },
      prev: { hint: words.earlier },
      next: { hint: words.later },
    },
    noEventsText: words.empty,
    eventDidMount: (mounted) => describe(mounted, place),
    eventClick: ({ event, view }) => {
      if (view.type === 'dayGridMonth') openEvent(event, words, locale)
    },
  })
  calendar.render()
}

/** The widget names days by a label and hides what is seen: the name has to hold what is seen (WCAG 2.5.3). */
function nameByContent({ el }) {
  el.removeAttribute('aria-label')
  el.querySelector('[aria-hidden]')?.removeAttribute('aria-hidden')
}

/** Names the element after its event; in the list, the first time an event stands there it says all that it says. */
function describe({ el, event, view }, place) {
  const isKnown = place.querySelector(`[data-uid="${CSS.escape(event.id)}"]`) !== null
  el.dataset.uid = event.id
  const { description } = event.extendedProps
  if (isKnown || view.type === 'dayGridMonth' || description === '') return
  const text = document.createElement('p')
  text.textContent = description
  el.lastElementChild.lastElementChild.append(text)
}

/** The device's own variety of the page's language, so that times look as in its calendar program. */
function deviceLocale() {
  const { lang } = document.documentElement
  return navigator.languages.find((it) => it === lang || isRegionOf(it, lang)) ?? lang
}

function isRegionOf(locale, language) {
  return new RegExp(`^${language}-[A-Z]{2}$`).test(locale)
}

function firstDayOf(locale) {
  return (new Intl.Locale(locale).getWeekInfo?.().firstDay ?? 1) % 7
}

function openEvent(event, words, locale) {
  const dialog = document.querySelector('#event')
  dialog.querySelector('.when').textContent = whenOf(event, words, locale)
  dialog.querySelector('h3').textContent = event.title
  dialog.querySelector('.description').textContent = event.extendedProps.description
  dialog.showModal()
}

function whenOf({ start, end, allDay }, words, locale) {
  const style = allDay ? { dateStyle: 'full' } : { dateStyle: 'full', timeStyle: 'short' }
  const format = new Intl.DateTimeFormat(locale, style)
  // The end of an all-day event is the day after it.
  const last = allDay ? new Date(end.getFullYear(), end.getMonth(), end.getDate() - 1) : end
  const range = format.formatRange(start, last < start ? start : last)
  return allDay ? `${range}, ${words.allDay}` : range
}
