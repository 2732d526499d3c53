/** An event as a component of RFC 5545: written here and not by a library, since it is what a calendar is made of by the thousand. */
import { hash } from 'node:crypto'

import type { CalendarEvent, EventTime, Revision } from '../domain/calendar-event.ts'
import { memo } from '../domain/memo.ts'
import { plainDate } from '../domain/plain-date.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000
/** RFC 5545 section 3.1 has 75 at most, of which a line that goes on spends one on its space. */
const lineOctetsMax = 74
/** No UTF-16 code unit has more. */
const unitOctetsMax = 3
/** More than lie in all windows of all calendars. */
const datesMax = 20_000
/** All seconds of a day. */
const clocksMax = 86_400

const base64Url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The lines of an event in three parts: between them stand those of its revision. */
export interface Vevent {
  readonly opening: string
  readonly body: string
  readonly closing: string
}

/**
 * Times are written in UTC and all-day ones as dates, on which all clients agree: no time zone, no recurrence. TRANSP and
 * the busy status always stand together, since Outlook ignores TRANSP alone. There is nobody to attend or to organize: that
 * would make it an invitation.
 */
export function writeVevent(event: CalendarEvent): Vevent {
  return {
    opening: `BEGIN:VEVENT\r\n${line(`UID:${event.uid}`)}`,
    body: `${timeLines(event.time)}${textLines(event)}${stateLines(event)}`,
    closing: `${alarmLines(event)}END:VEVENT\r\n`,
  }
}

/** Everything that the event says but its revision. */
export function contentOf({ opening, body, closing }: Vevent): string {
  return opening + body + closing
}

/** An event as ledgers know it: its name and everything it says but its revision. */
export interface HashedEvent {
  readonly uid: string
  readonly uidHash: string
  readonly contentHash: string
}

export function hashEvent(uid: string, content: string): HashedEvent {
  return { uid, uidHash: shortHash(uid), contentHash: shortHash(content) }
}

/** Seven bytes suffice: two of a feed’s few hundred events share them once in 10^12 feeds. */
function shortHash(text: string): string {
  const digits = hash('sha256', text, 'base64url')
  // Of the six bits of the tenth digit four belong to the eighth byte.
  const tenth = base64Url.indexOf(digits.charAt(9)) & 0b110000
  return digits.slice(0, 9) + base64Url.charAt(tenth)
}

/** The whole component. DTSTAMP and LAST-MODIFIED both say when this feed last showed the event differently. */
export function revisedText(
  { opening, body, closing }: Vevent,
  { sequence, changedAt }: Revision,
): string {
  const time = utc(changedAt)
  return `${opening}SEQUENCE:${sequence}\r\nDTSTAMP:${time}\r\n${body}LAST-MODIFIED:${time}\r\n${closing}`
}

function timeLines({ allDay, start, end }: EventTime): string {
  if (!allDay) return `DTSTART:${utc(start)}\r\nDTEND:${utc(end)}\r\n`
  return `DTSTART;VALUE=DATE:${basic(start)}\r\nDTEND;VALUE=DATE:${basic(end)}\r\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE\r\nX-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE\r\n`
}

function textLines({ title, busy, description, categories, url }: CalendarEvent): string {
  const summary = line(`SUMMARY:${escapeText(title)}`)
  const about = description === null ? '' : line(`DESCRIPTION:${escapeText(description)}`)
  const names = categories.length > 0 ? line(`CATEGORIES:${categories.map(escapeText).join()}`) : ''
  const address = url === null ? '' : line(`URL;VALUE=URI:${escapeText(url)}`)
  return `${summary}TRANSP:${busy === 'FREE' ? 'TRANSPARENT' : 'OPAQUE'}\r\n${about}${names}${address}`
}

function stateLines({ status, busy, priority }: CalendarEvent): string {
  const urgency = priority === null ? '' : `PRIORITY:${priority}\r\n`
  return `STATUS:${status}\r\nX-MICROSOFT-CDO-BUSYSTATUS:${busy}\r\n${urgency}`
}

/** None but what the feed asks for, and none on whole days: they would ring at midnight. Behind all properties (RFC 5545 section 3.6.1). */
function alarmLines({ time, title, reminderMinutes }: CalendarEvent): string {
  if (time.allDay || reminderMinutes === null) return ''
  const text = line(`DESCRIPTION:${escapeText(title)}`)
  return `BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:${before(reminderMinutes)}\r\n${text}END:VALARM\r\n`
}

/** RFC 5545 section 3.3.6: so many minutes earlier. */
function before(minutes: number): string {
  if (minutes === 0) return 'PT0S'
  const parts = [Math.floor(minutes / 60) % 24, minutes % 60]
  const [hours, rest] = parts.map((count, index) => (count > 0 ? `${count}${'HM'[index]}` : ''))
  const days = minutes >= 1440 ? `${Math.floor(minutes / 1440)}D` : ''
  const time = `${hours}${rest}`
  return `-P${days}${time === '' ? '' : `T${time}`}`
}

/** RFC 5545 section 3.3.11. */
function escapeText(text: string): string {
  if (!/[\\;,\r\n]/.test(text)) return text
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
}

/** Folded so that no line has more than 75 octets, and never inside a code point: Google drops the whole feed at one that is. */
function line(text: string): string {
  const isShort = text.length * unitOctetsMax <= lineOctetsMax
  return `${isShort || Buffer.byteLength(text) <= lineOctetsMax ? text : fold(text)}\r\n`
}

function fold(text: string): string {
  const lines: string[] = []
  let [begun, octets] = [0, 0]
  for (let at = 0; at < text.length;) {
    const codePoint = text.codePointAt(at) ?? 0
    const size = octetsOf(codePoint)
    if (octets + size > lineOctetsMax) {
      lines.push(text.slice(begun, at))
      begun = at
      octets = 0
    }
    octets += size
    at += codePoint > 0xffff ? 2 : 1
  }
  return [...lines, text.slice(begun)].join('\r\n ')
}

/** In UTF-8. */
function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint > 0xffff ? 4 : 3
}

/** RFC 5545 section 3.3.5, form 2. */
function utc(instant: Instant): string {
  const day = Math.floor(instant / dayMs)
  return basicDay(day) + clock(Math.floor((instant - day * dayMs) / 1000))
}

const basicDay = memo(datesMax, (day: number) => basic(plainDate(day)))

const clock = memo(
  clocksMax,
  (second: number) => `T${basic(new Date(second * 1000).toISOString().slice(11, 19))}Z`,
)

/** Without what parts it: the basic format of ISO 8601. */
function basic(written: string): string {
  return written.replaceAll(/[-:]/g, '')
}
