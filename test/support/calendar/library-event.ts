/** An event by ical-generator, with what it does otherwise than RFC 5545 and clients want put right. */
import ical, {
  foldLines,
  type ICalAlarmData,
  ICalAlarmType,
  ICalEventBusyStatus,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'

import type { CalendarEvent, RevisedEvent } from '../../../src/domain/calendar-event.ts'

/** The component, its alarm behind all properties and no line folded as it was before it was moved. */
export function libraryVevent(event: RevisedEvent): string {
  const text = ical().createEvent(libraryEvent(event)).toString()
  const alarmsLast = text.replace(
    /^(BEGIN:VALARM\r\n[^]*?^END:VALARM\r\n)([^]*)(?=^END:VEVENT)/m,
    '$2$1',
  )
  return foldLines(alarmsLast)
}

/** What the event says, as the library takes it. */
export function libraryEvent(event: RevisedEvent): ICalEventData {
  const { uid, time, title, description, status, busy, categories, priority, url } = event
  return {
    id: uid,
    sequence: event.sequence,
    stamp: new Date(event.changedAt),
    lastModified: new Date(event.changedAt),
    start: new Date(time.start),
    end: new Date(time.end),
    allDay: time.allDay,
    summary: title,
    description,
    status: ICalEventStatus[status],
    transparency:
      busy === 'FREE' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    busystatus: ICalEventBusyStatus[busy],
    categories: categories.map((category) => ({ name: category })),
    priority,
    url,
    alarms: alarmsOf(event),
  }
}

function alarmsOf({ time, reminderMinutes }: CalendarEvent): ICalAlarmData[] {
  if (time.allDay || reminderMinutes === null) return []
  return [{ type: ICalAlarmType.display, triggerBefore: reminderMinutes * 60 }]
}
