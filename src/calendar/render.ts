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
import { descriptionText, isVisible, titleText } from '../text/plain-text.ts'
import { type Agenda, type Steps, takeFrom } from './expand.ts'
import { languages } from './words/languages.ts'

const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge', language: 'EN' }
/** Google takes no calendar of more than about 1 MB. */
const bytesMax = 900_000
/** More than the note on what is left out adds to a calendar's properties in any language. */
const noteBytesMax = 1000
const refreshSeconds = 3600
/** Until the revision is known. */
const never = new Date(0)
/** The lines that hold an event's revision: no text begins a line, since a folded one begins with a space. */
const revisionLines = /^(SEQUENCE|DTSTAMP|LAST-MODIFIED):.*\r\n/gm
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

/** What is rendered. */
export interface CalendarContents {
  readonly name: string
  readonly description: string | null
  readonly locale: Locale
  readonly agenda: Agenda
  /** The revision of an event that says that. */
  readonly revise: (event: { readonly uid: string; readonly content: string }) => Revision
}

/** The calendar as text/calendar (RFC 5545, RFC 7986), and the events that it holds, in its order. */
export interface RenderedCalendar {
  readonly text: string
  readonly events: readonly RevisedEvent[]
}

interface WrittenEvent {
  readonly event: RevisedEvent
  readonly text: string
}

/**
 * The calendar: at most 900,000 bytes, and what does not fit is not even made. Events are taken from the turn on
 * forward, then backward, until the next has no room; beyond that the calendar's description says how many are left out.
 */
export function* renderCalendar(calendar: CalendarContents): Steps<RenderedCalendar> {
  const { agenda, locale, revise } = calendar
  const whole = renderHeader(calendar, null)
  const fits = roomFor(calendar, whole)
  let bytes = 0
  const { taken, leftBehind, leftAhead } = yield* takeFrom(agenda, (event) => {
    const written = writeEvent(event, revise)
    bytes += Buffer.byteLength(written.text)
    return fits(bytes) ? written : null
  })
  const isWhole = leftBehind + leftAhead === 0
  const header = isWhole ? whole : renderHeader(calendar, noteOf(locale, leftBehind, leftAhead))
  const components = taken.length > 0 ? taken.map(({ text }) => text).join('') : loneTimezone
  return { text: header + components + footer, events: taken.map(({ event }) => event) }
}

/** Room is kept for the longest note that could be needed, since how many events are left out is known last. */
function roomFor(calendar: CalendarContents, header: string): (bytes: number) => boolean {
  const { behindCount, aheadCount } = calendar.agenda
  const count = behindCount + aheadCount
  const plenty = roomBeside(header) - noteBytesMax
  let room: number | undefined
  return (bytes) => {
    if (bytes <= plenty) return true
    room ??= roomBeside(renderHeader(calendar, noteOf(calendar.locale, count, count)))
    return bytes <= room
  }
}

function roomBeside(header: string): number {
  return bytesMax - Buffer.byteLength(header + footer)
}

function noteOf(locale: Locale, behind: number, ahead: number): string {
  return languages[locale].leftOut(behind, ahead)
}

/** The text is made once: what it says is what is compared, and the revision is put into it. */
function writeEvent(event: CalendarEvent, revise: CalendarContents['revise']): WrittenEvent {
  const unrevised = renderEvent(event)
  const content = unrevised.replaceAll(revisionLines, '')
  const revision = revise({ uid: event.uid, content })
  const text = unrevised.replaceAll(revisionLines, (_line, name: string) =>
    revisionLine(name, revision),
  )
  const { sequence, changedAt } = revision
  return { event: { ...event, sequence, changedAt }, text }
}

function revisionLine(name: string, { sequence, changedAt }: Revision): string {
  const time = new Date(changedAt).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  return `${name}:${name === 'SEQUENCE' ? sequence : time}\r\n`
}

/**
 * All calendar properties stand before the first component: Outlook ignores later ones. There is no METHOD, which a
 * subscription has none of, and no time zone, with which ical-generator would write times without one. The name and the
 * description are escaped here, since ical-generator does not: a line break in them would begin a property.
 */
function renderHeader(
  { name, description, locale }: CalendarContents,
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

/**
 * The event without a revision of its own. No line has more than 75 octets, and none is folded inside a code point:
 * Google drops the whole feed at one that is.
 */
function renderEvent(event: CalendarEvent): string {
  const text = ical().createEvent(eventData(event)).toString()
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
function eventData(event: CalendarEvent): ICalEventData {
  const { uid, time, title, description, status, busy, categories, priority, url } = event
  return {
    id: uid,
    sequence: 0,
    stamp: never,
    lastModified: never,
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
