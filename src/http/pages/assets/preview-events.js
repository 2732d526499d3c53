import ICAL from './ical.js'

/** The events of an iCalendar text, as the calendar widget takes them. */
export function readEvents(text) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map(readEvent)
}

function readEvent(component) {
  const event = new ICAL.Event(component)
  const kind = event.uid.split('-', 1)[0]
  const isTentative = component.getFirstPropertyValue('status') === 'TENTATIVE'
  return {
    id: event.uid,
    title: event.summary,
    start: event.startDate.isDate ? event.startDate.toString() : event.startDate.toJSDate(),
    end: event.endDate.isDate ? event.endDate.toString() : event.endDate.toJSDate(),
    allDay: event.startDate.isDate,
    color: `var(--kind-${kind})`,
    className: isTentative ? 'tentative' : '',
    extendedProps: { description: event.description ?? '' },
  }
}
