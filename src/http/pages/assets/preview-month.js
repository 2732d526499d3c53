/* global FullCalendar */
/* The calendar as a month, by a widget that is loaded only where there is room for it. */
import { openEvent } from './preview-dialog.js'
import { endOfAll } from './preview-times.js'

let isReady

/** `isWanted` says whether it still is once the widget is there: meanwhile the screen may have become narrow. */
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
    ...(day && { initialDate: day }),
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
    eventDidMount: ({ el, event }) => {
      el.dataset.uid = event.id
      el.lang = language
    },
    eventClick: ({ event }) => openEvent(event.extendedProps.event, preview),
  })
  calendar.render()
}

/** The whole months in which there is anything, and this one: no way leads on into empty ones. */
function monthsOf(events) {
  const first = new Date(Math.min(Date.now(), ...events.map(({ start }) => start)))
  const last = new Date(Math.max(Date.now(), endOfAll(events)))
  return {
    start: new Date(first.getFullYear(), first.getMonth(), 1),
    end: new Date(last.getFullYear(), last.getMonth() + 1, 1),
  }
}

/** Short, so that titles have room; by a clock of 24 hours an hour alone would be no time, nor is `9:00` written there. */
function timeFormat(locale) {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', omitZeroMinute: hour12 }
}

/** The page names the widget's files; its own look follows them. */
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

/** The widget names days by a label and hides what is seen: the name has to hold what is seen (WCAG 2.5.3). */
function nameByContent({ el }) {
  el.removeAttribute('aria-label')
  el.querySelector('[aria-hidden]')?.removeAttribute('aria-hidden')
}
