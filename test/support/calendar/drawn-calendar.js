/* global FullCalendar */
const time = { hour: '2-digit', minute: '2-digit', hour12: false }

/** Draws the events with the view that is asked for; for pictures only. */
globalThis.drawCalendar = ({ events, view, day, locale }) => {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const isList = view === 'listWeek'
  new FullCalendar.Calendar(place, {
    events: events.map((event) => asInput(event, isList)),
    initialView: view,
    initialDate: day,
    locale,
    firstDay: 1,
    height: innerHeight - 24,
    headerToolbar: { start: 'title', end: '' },
    nowIndicator: true,
    // The whole day is seen at once, for night shifts.
    scrollTime: '00:00',
    slotDuration: '02:00',
    expandRows: true,
    slotHeaderFormat: time,
    eventTimeFormat: time,
    eventDisplay: 'block',
    dayMaxEvents: true,
    nextDayThreshold: '09:00',
    ...(isList && {
      listDayAltFormat: { weekday: 'short' },
      listDayHeaderClass: 'list-day',
      listDayBodyClass: 'list-body',
      listItemEventInnerClass: 'list-inner',
      listItemEventTimeClass: 'list-time',
      listItemEventTitleClass: 'list-title',
    }),
    eventDidMount: ({ el, event }) => {
      const { own, isFree, isTentative } = event.extendedProps
      el.style.setProperty('--own', own)
      el.classList.toggle('free', isFree && !isList)
      el.classList.toggle('tentative', isTentative && !isList)
    },
  }).render()
}

function asInput({ color: own, isFree, ...event }, isList) {
  const isPale = isFree && !isList
  return {
    ...event,
    color: isPale ? `color-mix(in srgb, ${own} 18%, var(--page))` : own,
    contrastColor: isPale ? 'var(--text)' : `contrast-color(${own})`,
    own,
    isFree,
  }
}
