/* Writes events as components of RFC 5545 with ical-generator, and corrects what clients do not accept. */
import { hash } from 'node:crypto'

import ical, {
  foldLines,
  ICalAlarmType,
  ICalEvent,
  ICalEventBusyStatus,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'

import type { CalendarEvent, Revision } from '../domain/calendar-event.ts'
import { memo } from '../domain/memo.ts'
import type { Instant } from '../domain/world.ts'

export interface HashedEvent {
  readonly uid: string
  readonly uidHash: string
  /** Covers everything but the revision. */
  readonly contentHash: string
}

const calendar = ical()
const firstRevision = '\r\nSEQUENCE:0\r\nDTSTAMP:19700101T000000Z\r\n'
const timesMax = 1000
/** RFC 5545 section 3.1: longer lines are folded. */
const shortLines = /^(?:[\t -~]{0,75}\r\n)*$/
const base64Url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Returns the event without revision lines (SEQUENCE, DTSTAMP, LAST-MODIFIED). If one byte changes here, every event counts
 * as changed.
 */
export function writeVevent(event: CalendarEvent): string {
  const text = new ICalEvent(libraryEvent(event), calendar).toString()
  const lines = alarmLast(withColor(text.replace(firstRevision, '\r\n'), event.color))
  // The library looks at every character, and few events have a long line.
  return shortLines.test(lines) ? lines : foldLines(lines)
}

/**
 * Returns the event for ical-generator. All clients agree on UTC times and dates, so there is no time zone and no
 * recurrence. Outlook ignores TRANSP without a busy status. An attendee or organizer would turn it into an invitation.
 * Alarms of all-day events would ring at midnight.
 */
export function libraryEvent(event: CalendarEvent): ICalEventData {
  const { uid, time, title, busy, categories, reminderMinutes } = event
  const hasAlarm = !time.allDay && reminderMinutes !== null
  return {
    id: uid,
    sequence: 0,
    stamp: new Date(0),
    start: new Date(time.start),
    end: new Date(time.end),
    allDay: time.allDay,
    summary: title,
    description: event.description,
    status: ICalEventStatus[event.status],
    transparency:
      busy === 'FREE' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    busystatus: ICalEventBusyStatus[busy],
    categories: categories.map((name) => ({ name })),
    priority: event.priority,
    url: event.url,
    alarms: hasAlarm ? [{ type: ICalAlarmType.display, triggerBefore: reminderMinutes * 60 }] : [],
  }
}

/** ical-generator knows no COLOR (RFC 7986 section 5.9). */
function withColor(text: string, color: string | null): string {
  return color === null ? text : text.replace(/END:VEVENT\r\n$/, `COLOR:${color}\r\n$&`)
}

/** ical-generator writes alarms between properties, but they belong after them (RFC 5545 section 3.6.1). */
function alarmLast(text: string): string {
  const start = text.indexOf('\r\nBEGIN:VALARM\r\n') + 2
  if (start < 2) return text
  const end = text.indexOf('\r\nEND:VALARM\r\n') + '\r\nEND:VALARM\r\n'.length
  const rest = text.slice(end, -'END:VEVENT\r\n'.length)
  return `${text.slice(0, start)}${rest}${text.slice(start, end)}END:VEVENT\r\n`
}

/** Adds the revision. DTSTAMP and LAST-MODIFIED both say when this feed last showed the event differently. */
export function revisedText(vevent: string, { sequence, changedAt }: Revision): string {
  const time = dateTime(changedAt)
  const body = vevent.indexOf('\r\nDTSTART') + 2
  const alarm = vevent.indexOf('\r\nBEGIN:VALARM\r\n')
  const closing = (alarm < 0 ? vevent.lastIndexOf('\r\nEND:VEVENT') : alarm) + 2
  return `${vevent.slice(0, body)}SEQUENCE:${sequence}\r\nDTSTAMP:${time}\r\n${vevent.slice(body, closing)}LAST-MODIFIED:${time}\r\n${vevent.slice(closing)}`
}

// Cached, since most events of a calendar changed at the same few times.
const dateTime = memo(timesMax, (instant: Instant) => {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
})

export function hashEvent(uid: string, vevent: string): HashedEvent {
  return { uid, uidHash: shortHash(uid), contentHash: shortHash(vevent) }
}

/** Seven bytes: two of a feed's few hundred events collide once in 10^12 feeds. */
function shortHash(text: string): string {
  const digits = hash('sha256', text, 'base64url')
  // Four of the six bits of the tenth digit belong to the eighth byte.
  const tenth = base64Url.indexOf(digits.charAt(9)) & 0b110000
  return digits.slice(0, 9) + base64Url.charAt(tenth)
}

export interface WrittenEvent extends HashedEvent {
  readonly event: CalendarEvent
  readonly revision: Revision
  readonly vevent: string
  readonly text: string
  readonly octets: number
}
