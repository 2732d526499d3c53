/** The calendar around its events. What ical-generator leaves out or unescaped is put right here. */
import ical, { escape } from 'ical-generator'

import type { CalendarEvent, Revision } from '../domain/calendar-event.ts'
import type { Locale } from '../domain/feed.ts'
import { descriptionText, isVisible, titleText } from '../text/plain-text.ts'
import { type Agenda, compareEvents } from './expand.ts'
import type { Kept } from './kept.ts'
import {
  type WrittenEvent,
  type HashedEvent,
  hashEvent,
  revisedText,
  writeVevent,
} from './vevent.ts'
import { languages } from './words.ts'

const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge', language: 'EN' }
/** Google takes no calendar of more than about 1 MB. */
const calendarBytesMax = 900_000
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

/** What is rendered. */
export interface CalendarContents {
  readonly name: string
  readonly description: string | null
  readonly locale: Locale
  readonly agenda: Agenda
  /** The revision of an event with that content. */
  readonly revise: (event: HashedEvent) => Revision
  /** What was written of this calendar before. */
  readonly kept?: Kept | undefined
}

/** The calendar as text/calendar in UTF-8 (RFC 5545, RFC 7986), and the events that it holds, in its order. */
export interface RenderedCalendar {
  readonly bytes: Buffer
  readonly events: readonly WrittenEvent[]
}

/**
 * The calendar in at most 900,000 bytes; what does not fit is not even made. Events are taken from the turn on forward,
 * then backward, until the next has no room; the calendar's description then says how many are left out.
 */
export function renderCalendar(
  calendar: CalendarContents,
  bytesMax = calendarBytesMax,
): RenderedCalendar {
  const { agenda, locale } = calendar
  const { leftOut } = languages[locale]
  const count = agenda.aheadCount + agenda.behindCount
  const whole = renderHeader(calendar, null)
  const roomBeside = (header: string): number => bytesMax - Buffer.byteLength(header + footer)
  // Room is kept for the longest note that could be needed, since how many events are left out is known last.
  const room = roomBeside(renderHeader(calendar, leftOut(count, count)))
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

/** What the event says is written once: it is compared, and the revision is put into it. */
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
 * All calendar properties stand before the first component: Outlook ignores later ones. There is no METHOD, which a
 * subscription has none of, and no time zone, with which ical-generator would write times without one. The name and the
 * description are escaped here, since ical-generator does not: a line break in them would begin a property.
 */
function renderHeader(
  { name, description, locale }: CalendarContents,
  note: string | null,
): string {
  const about = [note, description].filter((text) => text !== null).join('\n')
  const title = titleText(name)
  const calendar = ical({
    prodId,
    name: escape(isVisible(title) ? title : languages[locale].calendar, false),
    description: escape(descriptionText(about), false),
    ttl: refreshSeconds,
  })
  return calendar.toString().replace(/END:VCALENDAR$/, '')
}
