import ICAL from './ical.js'

/** What a colour says besides the kind. */
const marks = new Map([
  ['crimson', 'rejected'],
  ['firebrick', 'thin'],
])

/** Returns the events of an iCalendar text. An all-day event ends at the midnight after its last day. */
export function readEvents(text) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map(readEvent)
}

function readEvent(component) {
  const event = new ICAL.Event(component)
  const mark = marks.get(component.getFirstPropertyValue('color'))
  return {
    uid: event.uid,
    kind: mark ?? event.uid.split('-', 1)[0],
    isTentative: component.getFirstPropertyValue('status') === 'TENTATIVE',
    title: event.summary,
    description: event.description ?? '',
    allDay: event.startDate.isDate,
    start: event.startDate.toJSDate(),
    end: event.endDate.toJSDate(),
  }
}
