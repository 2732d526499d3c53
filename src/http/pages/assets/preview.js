/* global FullCalendar */
/* Shows the very calendar that programs subscribe to. */
import { readEvents } from './preview-events.js'

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
  } catch (error) {
    console.log(error.stack)
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
    dayMaxEvents: 4,
    nextDayThreshold: '09:00',
    eventTimeFormat: { hour: 'numeric', minute: '2-digit' },
    views: {
      listWeeks: {
        type: 'list',
        duration: { weeks: 2 },
        listDayFormat: { weekday: 'short', day: 'numeric', month: 'short' },
        listDayAltFormat: false,
      },
    },
    buttons: {
      listWeeks: { text: words.list },
      dayGridMonth: { text: words.month },
      today: { text: words.today },
    },
    headerToolbar: { start: 'title', end: 'listWeeks,dayGridMonth today prev,next' },
    noEventsText: words.empty,
    eventInteractive: true,
    eventDidMount: ({ el, event }) => {
      el.dataset.uid = event.id
    },
    eventClick: ({ event }) => openEvent(event, words, locale),
  })
  calendar.render()
}

/** The device's own variety of the page's language, so that times look as in its calendar program. */
function deviceLocale() {
  const { lang } = document.documentElement
  return navigator.languages.find((it) => it.split('-', 1)[0] === lang) ?? lang
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
