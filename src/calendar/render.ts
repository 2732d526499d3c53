/** The only file that knows iCalendar. What ical-generator leaves out or unescaped is put right here. */
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
import type { PlainDate } from '../domain/plain-date.ts'
import { bytesOf, fitEvents, inOrder, type SizedEvent } from './event-list.ts'
import { descriptionText, isVisible, titleText } from './text.ts'
import { languages } from './words/languages.ts'

const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge', language: 'EN' }
/** Google takes no calendar of more than about 1 MB. */
const bytesMax = 900_000
/** More than the note on what is left out adds to a calendar's properties in any language. */
const noteBytesMax = 1000
const refreshSeconds = 3600
/** ical-generator leaves out the line break of the last line, which RFC 5545 section 3.1 wants of every line. */
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

/** The calendar's own lines, and the events behind them. */
interface Composition {
  readonly header: string
  readonly kept: readonly SizedEvent[]
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

function compose(calendar: RenderedCalendar): Composition {
  const events = inOrder(calendar.events).map(sizedEvent)
  const header = renderHeader(calendar, null)
  const isSmall = bytesOf(events) + Buffer.byteLength(header + footer) + noteBytesMax <= bytesMax
  return isSmall ? { header, kept: events } : composeWithin(calendar, events)
}

function sizedEvent(event: RevisedEvent): SizedEvent {
  const text = renderEvent(event, event)
  return { event, text, bytes: Buffer.byteLength(text) }
}

/** Room is kept for the longest note that could be needed, since how many events are left out is known last. */
function composeWithin(calendar: RenderedCalendar, events: readonly SizedEvent[]): Composition {
  const { locale, turn } = calendar
  const note = (past: number, future: number): string => languages[locale].leftOut(past, future)
  const longestHeader = renderHeader(calendar, note(events.length, events.length))
  const reserved = Buffer.byteLength(longestHeader + footer)
  const { kept, past, future } = fitEvents(events, turn, bytesMax - reserved)
  const header = renderHeader(calendar, past + future > 0 ? note(past, future) : null)
  return { header, kept }
}

/**
 * All calendar properties stand before the first component: Outlook ignores later ones. There is no METHOD, which a
 * subscription has none of, and no time zone, with which ical-generator would write times without one. The name and the
 * description are escaped here, since ical-generator does not: a line break in them would begin a property.
 */
function renderHeader(
  { name, description, locale }: RenderedCalendar,
  note: string | null,
): string {
  const about = [note, description].filter((text) => text !== null).join('\n')
  const calendar = ical({
    prodId,
    name: escape(nameOf(name, locale), false),
    description: escape(descriptionText(about), false),
    ttl: refreshSeconds,
  })
  return calendar.toString().replace(/END:VCALENDAR$/, '')
}

function nameOf(name: string, locale: Locale): string {
  const text = titleText(name)
  return isVisible(text) ? text : languages[locale].calendar
}

/** No line has more than 75 octets, and none is folded inside a code point: Google drops the whole feed at one that is. */
function renderEvent(event: CalendarEvent, revision: Revision): string {
  const text = ical().createEvent(eventData(event, revision)).toString()
  // Alarms come after all properties (RFC 5545 section 3.6.1).
  const alarmsLast = text.replace(
    /^(BEGIN:VALARM\r\n[^]*?^END:VALARM\r\n)([^]*)(?=^END:VEVENT)/m,
    '$2$1',
  )
  return foldLines(alarmsLast)
}

/**
 * Times are written in UTC and all-day ones as dates, on which all clients agree: no time zone, no recurrence. DTSTAMP
 * and LAST-MODIFIED both say when this feed last showed the event differently. TRANSP and the busy status always stand
 * together, since Outlook ignores TRANSP alone. There is nobody to attend or to organize: that would make it an invitation.
 */
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

/** None but what the feed asks for, and none on whole days: they would ring at midnight. */
function alarmsOf({ time, reminderMinutes }: CalendarEvent): ICalAlarmData[] {
  if (time.allDay || reminderMinutes === null) return []
  return [{ type: ICalAlarmType.display, triggerBefore: reminderMinutes * 60 }]
}
