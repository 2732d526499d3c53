/** The calendar around its events. What ical-generator leaves out or unescaped is put right here. */
import ical, { escape } from 'ical-generator'

import type { CalendarEvent, Revision } from '../domain/calendar-event.ts'
import type { Locale } from '../domain/feed.ts'
import { descriptionText, isVisible, titleText } from '../text/plain-text.ts'
import { type Agenda, type Steps, takeFrom } from './expand.ts'
import type { Kept } from './kept.ts'
import { contentOf, type HashedEvent, hashEvent, revisedText, writeVevent } from './vevent.ts'
import { languages } from './words/languages.ts'

const prodId = { company: 'calendar-feed-bridge', product: 'calendar-feed-bridge', language: 'EN' }
/** Google takes no calendar of more than about 1 MB. */
const calendarBytesMax = 900_000
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

/** What is rendered. */
export interface CalendarContents {
  readonly name: string
  readonly description: string | null
  readonly locale: Locale
  readonly agenda: Agenda
  /** The revision of an event that says that. */
  readonly revise: (event: HashedEvent) => Revision
  /** With what of it was written before. */
  readonly kept?: Kept | undefined
}

/** The calendar as text/calendar in UTF-8 (RFC 5545, RFC 7986), and the events that it holds, in its order. */
export interface RenderedCalendar {
  readonly bytes: Buffer
  readonly events: readonly WrittenEvent[]
}

interface WrittenText {
  readonly text: string
  /** How many it has in UTF-8. */
  readonly octets: number
}

/** An event as it stands in a calendar. */
export interface WrittenEvent extends HashedEvent, WrittenText {
  readonly event: CalendarEvent
  readonly revision: Revision
}

/**
 * The calendar: at most 900,000 bytes, and what does not fit is not even made. Events are taken from the turn on
 * forward, then backward, until the next has no room; beyond that the calendar's description says how many are left out.
 */
export function renderCalendar(calendar: CalendarContents): Steps<RenderedCalendar> {
  return renderWithin(calendarBytesMax, calendar)
}

/** The same of at most so many bytes. */
export function* renderWithin(
  bytesMax: number,
  calendar: CalendarContents,
): Steps<RenderedCalendar> {
  const { agenda, locale } = calendar
  const whole = renderHeader(calendar, null)
  const fits = roomFor(bytesMax, calendar, whole)
  let bytes = 0
  const { taken, leftBehind, leftAhead } = yield* takeFrom(agenda, (event) => {
    const written = writeEvent(event, calendar)
    bytes += written.octets
    return fits(bytes) ? written : null
  })
  const isWhole = leftBehind + leftAhead === 0
  const header = isWhole ? whole : renderHeader(calendar, noteOf(locale, leftBehind, leftAhead))
  const components = taken.length > 0 ? taken : [measured(loneTimezone)]
  return { bytes: encoded([measured(header), ...components, measured(footer)]), events: taken }
}

/** In UTF-8, one behind the other: each is encoded where it stands, and not joined to the others before. */
function encoded(texts: readonly WrittenText[]): Buffer {
  const all = Buffer.allocUnsafeSlow(texts.reduce((sum, { octets }) => sum + octets, 0))
  let at = 0
  for (const { text } of texts) at += all.write(text, at)
  return all.subarray(0, at)
}

function measured(text: string): WrittenText {
  return { text, octets: Buffer.byteLength(text) }
}

/** Room is kept for the longest note that could be needed, since how many events are left out is known last. */
function roomFor(
  bytesMax: number,
  calendar: CalendarContents,
  header: string,
): (bytes: number) => boolean {
  const { behindCount, aheadCount } = calendar.agenda
  const count = behindCount + aheadCount
  const roomBeside = (it: string): number => bytesMax - Buffer.byteLength(it + footer)
  const plenty = roomBeside(header) - noteBytesMax
  let room: number | undefined
  return (bytes) => {
    if (bytes <= plenty) return true
    room ??= roomBeside(renderHeader(calendar, noteOf(calendar.locale, count, count)))
    return bytes <= room
  }
}

function noteOf(locale: Locale, behind: number, ahead: number): string {
  return languages[locale].leftOut(behind, ahead)
}

function writeEvent(event: CalendarEvent, { revise, kept }: CalendarContents): WrittenEvent {
  const known = kept?.findWritten(event)
  const written = known ? revised(known, revise(known)) : writeAnew(event, revise)
  if (written !== known) kept?.keepWritten(written)
  return written
}

/** As it is, where it has that revision. */
function revised(known: WrittenEvent, revision: Revision): WrittenEvent {
  const { sequence, changedAt } = known.revision
  if (sequence === revision.sequence && changedAt === revision.changedAt) return known
  const text = revisedText(writeVevent(known.event), revision)
  return { ...known, revision, ...measured(text) }
}

/** What the event says is written once: it is compared, and the revision is put into it. */
function writeAnew(event: CalendarEvent, revise: CalendarContents['revise']): WrittenEvent {
  const vevent = writeVevent(event)
  const { uid, uidHash, contentHash } = hashEvent(event.uid, contentOf(vevent))
  const revision = revise({ uid, uidHash, contentHash })
  const text = revisedText(vevent, revision)
  const octets = Buffer.byteLength(text)
  return { uid, uidHash, contentHash, event, revision, text, octets }
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
