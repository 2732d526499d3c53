import ical, {
  escape,
  foldLines,
  type ICalAlarmData,
  ICalAlarmType,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalEventData,
} from 'ical-generator'

import type { CalendarEvent, RevisedEvent, Revision } from '../domain/calendar-event.ts'
import type { Locale } from '../domain/feed.ts'
/** The only file that knows iCalendar. What ical-generator leaves out or unescaped is put right here. */
import type { PlainDate } from '../domain/plain-date.ts'
import { fitEvents, type SizedEvent } from './byte-limit.ts'
import { inOrder } from './event-order.ts'
import {
  cutText,
  descriptionLengthMax,
  isVisible,
  multiLine,
  singleLine,
  titleLengthMax,
} from './text.ts'
import { languages } from './words/languages.ts'

const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge', language: 'EN' }
const bytesMax = 900_000
const refreshSeconds = 3600
const footer = 'END:VCALENDAR\r\n'
/** RFC 5545 section 3.4 wants a component in every calendar: where there is no event, it is this one. */
const loneTimezone = `${[
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'TZNAME:UTC',
  'END:STANDARD',
  'END:VTIMEZONE',
].join('\r\n')}\r\n`

/** What is rendered: events with their revisions, in any order. */
export interface RenderedCalendar {
  readonly name: string
  readonly description: string | null
  readonly locale: Locale
  /** What ends before it goes first where the calendar is too large. */
  readonly turn: PlainDate
  readonly events: readonly RevisedEvent[]
}

/** Everything the event says but its revision (SEQUENCE, DTSTAMP, LAST-MODIFIED): the same text as long as it says the same. */
export function eventContent(event: CalendarEvent): string {
  return renderEvent(event, { sequence: 0, changedAt: 0 }).replaceAll(
    /^(?:SEQUENCE|DTSTAMP|LAST-MODIFIED):.*\r\n/gm,
    '',
  )
}

/**
 * The calendar as text/calendar (RFC 5545, RFC 7986): at most 900,000 bytes. Beyond that the oldest past events are
 * left out, then the farthest future ones, and the calendar's description says so.
 */
export function renderCalendar(calendar: RenderedCalendar): string {
  const { header, kept } = compose(calendar)
  const components = kept.length > 0 ? kept.map(({ text }) => text).join('') : loneTimezone
  return header + components + footer
}

/** The events that a rendered calendar holds, in its order. */
export function fittingEvents(calendar: RenderedCalendar): readonly RevisedEvent[] {
  return compose(calendar).kept.map(({ event }) => event)
}

function compose(calendar: RenderedCalendar): { header: string; kept: readonly SizedEvent[] } {
  const { locale, turn } = calendar
  const events = inOrder(calendar.events).map((event): SizedEvent => ({
    event,
    text: renderEvent(event, event),
  }))
  const note = (past: number, future: number): string => languages[locale].leftOut(past, future)
  const longestHeader = renderHeader(calendar, note(events.length, events.length))
  const reserved = Buffer.byteLength(longestHeader + footer)
  const { kept, past, future } = fitEvents(events, turn, bytesMax - reserved)
  const header = renderHeader(calendar, past + future > 0 ? note(past, future) : null)
  return { header, kept }
}

/** All calendar properties stand before the first component: Outlook ignores later ones. */
function renderHeader(
  { name, description, locale }: RenderedCalendar,
  note: string | null,
): string {
  const about = [note, description].filter((text) => text !== null).join('\n')
  const calendar = ical({
    prodId,
    name: escape(nameOf(name, locale), false),
    description: escape(cutText(multiLine(about), descriptionLengthMax), false),
    ttl: refreshSeconds,
  })
  return calendar.toString().replace(/END:VCALENDAR$/, '')
}

function nameOf(name: string, locale: Locale): string {
  const text = cutText(singleLine(name), titleLengthMax)
  return isVisible(text) ? text : languages[locale].calendar
}

function renderEvent(event: CalendarEvent, revision: Revision): string {
  const text = ical().createEvent(eventData(event, revision)).toString()
  // Alarms come after all properties (RFC 5545 section 3.6.1).
  const alarmsLast = text.replace(
    /^(BEGIN:VALARM\r\n[^]*?^END:VALARM\r\n)([^]*)(?=^END:VEVENT)/m,
    '$2$1',
  )
  return foldLines(alarmsLast)
}

function eventData(event: CalendarEvent, { sequence, changedAt }: Revision): ICalEventData {
  const { uid, time, title, description, status, busy, categories, priority, url } = event
  return {
    id: uid,
    sequence,
    stamp: new Date(changedAt),
    lastModified: new Date(changedAt),
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
