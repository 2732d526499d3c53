/* global FullCalendar */
/* The calendar as a month. The widget is loaded only if the screen is wide enough. */
import { openEvent } from './preview-dialog.js'
import { endOfAll } from './preview-times.js'

let isReady

/** `isWanted` is checked after the widget is loaded: the screen may have become narrow meanwhile. */
export async function showMonth(body, preview, isWanted) {
  isReady ??= loadWidget()
  await isReady
  if (!isWanted()) return
  const { words, locale, firstDay, language, day } = preview
  const place = document.createElement('div')
  place.id = 'month'
  body.replaceChildren(place)
  const calendar = new FullCalendar.Calendar(place, {
    events: preview.events.map(asInput),
    locale,
    firstDay,
    initialView: 'dayGridMonth',
    ...((preview.month ?? day) && { initialDate: preview.month ?? day }),
    validRange: monthsOf(preview.events),
    height: 'auto',
    dayMaxEvents: 4,
    eventInteractive: true,
    rowEventTitleClass: 'month-title',
    dayHeaderDidMount: nameByContent,
    dayCellDidMount: nameByContent,
    eventDisplay: 'block',
    nextDayThreshold: '09:00',
    eventTimeFormat: timeFormat(locale),
    headerToolbar: { start: 'title', end: 'today prev,next' },
    buttons: {
      today: { text: words.today, hint: words.today },
      prev: { hint: words.earlier },
      next: { hint: words.later },
    },
    datesSet: ({ view }) => {
      preview.month = view.currentStart
    },
    eventDidMount: ({ el, event }) => {
      el.dataset.uid = event.id
      el.lang = language
      el.classList.toggle('tentative', event.extendedProps.event.isTentative)
    },
    eventClick: ({ event }) => openEvent(event.extendedProps.event, preview),
  })
  calendar.render()
}

/** The months from the first to the last event, including this one; navigation ends there. */
function monthsOf(events) {
  const first = new Date(Math.min(Date.now(), ...events.map(({ start }) => start)))
  const last = new Date(Math.max(Date.now(), endOfAll(events)))
  return {
    start: new Date(first.getFullYear(), first.getMonth(), 1),
    end: new Date(last.getFullYear(), last.getMonth() + 1, 1),
  }
}

/** Short, to leave room for titles. A 24-hour clock needs minutes and a leading zero: `09:00`. */
function timeFormat(locale) {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', omitZeroMinute: hour12 }
}

/** The page lists the widget's files; our own style sheet must follow them. */
async function loadWidget() {
  const look = document.querySelector('link[href$="/calendar.css"]')
  const files = [...document.querySelectorAll('link[data-wide]')].map(({ as, href }) =>
    as === 'style'
      ? Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      : Object.assign(document.createElement('script'), { src: href, async: false }),
  )
  await Promise.all(
    files.map(
      (file) =>
        new Promise((resolve, reject) => {
          file.addEventListener('load', resolve)
          file.addEventListener('error', reject)
          look.before(file)
        }),
    ),
  )
}

function asInput(event) {
  const { uid, title, kind, allDay, start, end } = event
  return {
    id: uid,
    title,
    allDay,
    start: allDay ? dateOf(start) : start,
    end: allDay ? dateOf(end) : end,
    color: `var(--kind-${kind})`,
    extendedProps: { event },
  }
}

function dateOf(day) {
  return `${day.getFullYear()}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}`
}

function digits(number) {
  return String(number).padStart(2, '0')
}

/** The widget labels days and hides their visible text, but the accessible name must contain that text (WCAG 2.5.3). */
function nameByContent({ el }) {
  el.removeAttribute('aria-label')
  el.querySelector('[aria-hidden]')?.removeAttribute('aria-hidden')
}
