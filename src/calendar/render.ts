import ical, { escape } from 'ical-generator'

import type { CalendarEvent, Revision } from '../domain/calendar-event.ts'
import type { Locale } from '../domain/feed.ts'
import {
  cutText,
  descriptionLengthMax,
  isVisible,
  plainText,
  titleLengthMax,
} from '../text/plain-text.ts'
import { type Agenda, compareEvents } from './expand.ts'
import type { Kept } from './expansion.ts'
import {
  type WrittenEvent,
  type HashedEvent,
  hashEvent,
  revisedText,
  writeVevent,
} from './vevent.ts'
import { languages } from './words.ts'

const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge', language: 'EN' }
/** Google refuses more than about 1 MB. */
const calendarBytesMax = 900_000
const refreshSeconds = 3600
/** ical-generator leaves out this line break (RFC 5545 section 3.1). */
const footer = 'END:VCALENDAR\r\n'
/** For a calendar without events, which must have a component (RFC 5545 section 3.4). */
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

export interface CalendarContents {
  readonly name: string
  readonly description: string | null
  readonly locale: Locale
  readonly agenda: Agenda
  readonly revise: (event: HashedEvent) => Revision
  readonly kept?: Kept | undefined
}

/** The calendar (RFC 5545, RFC 7986) in UTF-8, and its events in order. */
export interface RenderedCalendar {
  readonly bytes: Buffer
  readonly events: readonly WrittenEvent[]
}

/**
 * Renders the calendar in at most `bytesMax` bytes. Adds events from the turn forward, then backward, until there is no
 * room. The others are not even created, and the description says how many are missing.
 */
export function renderCalendar(
  calendar: CalendarContents,
  bytesMax = calendarBytesMax,
): RenderedCalendar {
  const { agenda, locale } = calendar
  const { leftOut } = languages[locale]
  const count = agenda.aheadCount + agenda.behindCount
  const whole = renderHeader(calendar, null)
  // The number of omitted events is known last, so there must be room for the longest note.
  const longest = renderHeader(calendar, leftOut(count, count)) + footer
  const room = bytesMax - Buffer.byteLength(longest)
  let bytes = 0
  const take = (events: Iterable<CalendarEvent>): readonly WrittenEvent[] => {
    const taken: WrittenEvent[] = []
    for (const event of events) {
      const written = writeEvent(event, calendar)
      bytes += written.octets
      if (bytes > room) break
      taken.push(written)
    }
    return taken
  }
  const ahead = take(agenda.ahead())
  const leftAhead = agenda.aheadCount - ahead.length
  const behind = leftAhead > 0 ? [] : take(agenda.behind())
  const leftBehind = agenda.behindCount - behind.length
  const events = [...behind, ...ahead].toSorted((a, b) => compareEvents(a.event, b.event))
  const isWhole = leftBehind + leftAhead === 0
  const header = isWhole ? whole : renderHeader(calendar, leftOut(leftBehind, leftAhead))
  const components = events.length > 0 ? events.map(({ text }) => text) : [loneTimezone]
  return { bytes: Buffer.from([header, ...components, footer].join('')), events }
}

const objectHeader = ical({ prodId })
  .toString()
  .replace(/END:VCALENDAR$/, '')

/** Wraps one component as an iCalendar object (RFC 5545 section 3.4). */
export function vcalendarOf(component: string): string {
  return objectHeader + component + footer
}

function writeEvent(event: CalendarEvent, { revise, kept }: CalendarContents): WrittenEvent {
  const known = kept?.findWritten(event)
  const vevent = known?.vevent ?? writeVevent(event)
  const hashed = known ?? hashEvent(event.uid, vevent)
  const revision = revise(hashed)
  const { sequence, changedAt } = known?.revision ?? {}
  if (known && sequence === revision.sequence && changedAt === revision.changedAt) return known
  const text = revisedText(vevent, revision)
  const { uid, uidHash, contentHash } = hashed
  const octets = Buffer.byteLength(text)
  const written = { uid, uidHash, contentHash, event, revision, vevent, text, octets }
  kept?.keepWritten(written)
  return written
}

/**
 * Outlook ignores calendar properties after the first component. A subscription has no METHOD, and with a time zone
 * ical-generator would write floating times. It does not escape the name and the description either, so a line break in
 * them would begin a property.
 */
function renderHeader(
  { name, description, locale }: CalendarContents,
  note: string | null,
): string {
  const about = [note, description].filter((text) => text !== null).join('\n')
  const title = cutText(plainText(name, ' '), titleLengthMax)
  const calendar = ical({
    prodId,
    name: escape(isVisible(title) ? title : languages[locale].calendar, false),
    description: escape(cutText(plainText(about, '\n'), descriptionLengthMax), false),
    ttl: refreshSeconds,
  })
  return calendar.toString().replace(/END:VCALENDAR$/, '')
}
